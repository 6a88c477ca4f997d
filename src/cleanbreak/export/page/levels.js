// The levels of cuts, cleanest first. Each has a badge and, in cuts.css, a line of its own pattern.
export const LEVELS = {
  chapter: { badge: "CH", words: "start of a chapter" },
  heading: { badge: "H", words: "heading" },
  block: { badge: "B", words: "block" },
  paragraph: { badge: "¶", words: "paragraph" },
  line: { badge: "↵", words: "line" },
  sentence: { badge: ".", words: "sentence" },
  clause: { badge: ",", words: "clause" },
  word: { badge: "W", words: "word" },
  grapheme: { badge: "!", words: "hard cut" },
  end: { badge: "■", words: "end of the text" },
};

const UNKNOWN = { badge: "?", words: "level not recorded" };

/** The badge and the words of a level; of a record of an earlier version it is `null`. */
export function levelOf(name) {
  return LEVELS[name] ?? UNKNOWN;
}
