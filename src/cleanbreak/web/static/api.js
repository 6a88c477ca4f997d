// The REST interface; docs/design/110-page.md describes it. The page uses nothing else.

const ROOT = "/api/v1";

/** An answer that is an error: `message` is for a person. */
export class ApiError extends Error {
  constructor(status, body) {
    super(body.message ?? `The server answered ${status}.`);
    this.code = body.code;
    this.status = status;
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(ROOT + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { message: "The server does not answer; start `cleanbreak serve` again." });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

/** Ask with parameters; those that are empty are left out, lists are repeated. */
export function get(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== "" && one !== null && one !== undefined) query.append(name, one);
    }
  }
  const text = query.toString();
  return answer(path + (text && `?${text}`), { signal });
}

/** Send JSON. */
export function post(path, body = {}, signal = undefined) {
  return answer(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** Send the bytes of a file. */
export function upload(path, file) {
  return answer(`${path}?name=${encodeURIComponent(file.name)}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
}

/** Remove something. */
export function remove(path) {
  return answer(path, { method: "DELETE" });
}

/** Call `seen` with each state of a job until it has ended. */
export function follow(job, seen) {
  const events = new EventSource(`${ROOT}/jobs/${job.job_id}/events`);
  events.addEventListener("job", (event) => {
    const now = JSON.parse(event.data);
    if (now.state !== "running") events.close();
    seen(now);
  });
  return events;
}

export const source_address = (place, book) => `${ROOT}/places/${place}/books/${book}/source`;
