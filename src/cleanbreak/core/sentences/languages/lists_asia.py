"""The word lists of languages of Asia and of Hebrew; the format is that of `lists`."""

from cleanbreak.core.sentences.languages.language import Words

ASIA: dict[str, Words] = {
    "th": Words(letters="กขคงจชดตทนบปพมยรลวสหอะาิีเแไ", newlines_end=True),
    "lo": Words(letters="ກຂຄງຈຊດຕທນບປພມຍຣລວສຫອະາິີເແໄ", newlines_end=True),
    "ko": Words(
        # Polite endings; the plain "-다" also ends words inside a sentence.
        verb_endings="니다 습니까 입니까 십니까 합니까 시오 어요 아요 네요 세요 해요 구요 군요 나요 까요 데요 지요 려요 줘요 워요 에요 예요 게요 래요 든요 걸요 고요 와요 줘",
        letters="은는을를의에서",
    ),
    "vi": Words(
        small="và của là có không được cho trong với một các những này đó người khi đã sẽ đang bạn tôi ở từ",
        letters="ơưđạảấầẩậắằặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
        title="ts ths gs pgs bs ks tp tt q p",
        final="v.v",
    ),
    "id": Words(
        small="yang dan di ke dari untuk dengan ini itu tidak adalah pada dalam akan oleh saya kami mereka ada juga atau",
        title="dr prof drs ir tn ny sdr jl h hj",
        final="dll dsb dkk dst",
        numbered="no hlm",
    ),
    "hy": Words(
        small="և է են էր էին որ մի այդ այս նա նրա իր ու բայց կամ համար հետ մեջ վրա ինչ ոչ չի եմ ես մենք դու",
        extra_marks=":",
        full_stops=False,
        letters="աենոիքցհղշ",
    ),
    "fa": Words(
        letters="پچژگی",
        small="و در به از که این را با است آن برای یک خود تا کرد بر هم نیز شد شده می‌شود بود ما من او هر یا اما",
    ),
    "ar": Words(
        small="في من على إلى أن عن التي الذي هذا هذه كان كانت مع ما لا بعد قبل بين كل قد لم هو هي وقد ثم أو إن",
        title="د أ م",
        final="إلخ الخ",
    ),
    "ur": Words(
        letters="ٹڈڑےہ",
        small="کے کی میں ہے اور کا سے کو نے پر کہ یہ اس ہیں تھا تھی بھی ایک وہ نہیں تو جو",
    ),
    "hi": Words(
        small="के में की है और का से को ने पर कि यह इस हैं था थी भी एक वह नहीं तो जो",
        title="डॉ श्री प्रो कु पं ए बी सी डी ई एफ जी एच आई जे एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई जेड",
    ),
    "he": Words(
        letters="אבגדהוזחטיכלמנסעפצקרשתםןףץך",
        small="""
        של את על לא הוא היא זה זו כי אם גם או אבל עם כל יש אין היה היתה הם הן אני אנחנו אתה מה מי כמו רק עוד
        אך בין לפי אחרי לפני יותר כאשר אשר כדי
        """,
        title="פרופ אינג רח שד טל עמ מס",
        final="וכו וכד",
    ),
    "ka": Words(
        letters="აბგდევზთიკლმნოპრსტუფქღყშჩცძწჭხჯჰ",
        small="""
        და რომ არ ეს ის მე შენ ჩვენ თქვენ ისინი მისი მათი იყო არის არიან თუ ან მაგრამ როგორც რომელიც რომლის
        მხოლოდ უფრო ასევე მას კი აქ იქ სადაც როცა
        """,
        title="პროფ აკად ქ ქუჩ ე.ი ე.წ მაგ იხ შეად ბ-ნი ქ-ნი დაახლ ინგლ გერმ ფრ ფრანგ ესპ იტალ რუს ბერძ ბერძნ ლათ ძვ სოფ შემოკლ აბრევ ჩრდ სამხრ აღმ დას",
        final="ა.შ სხვ",
        maybe="ძვ.წ ახ.წ ძვ.წ.აღ მლნ მლრდ კმ სმ მმ კგ წ წწ ს სს",
        numbered="გვ ტ თ მუხ ნახ თავ",
    ),
    "az": Words(
        letters="ə",
        small="""
        və bir bu da də ilə üçün olan o daha çox ən kimi qədər sonra əvvəl hər amma deyil ki mən sən biz siz
        onlar isə var yox idi edir olub olaraq görə həm lakin
        """,
        title="prof akad dos müh küç prosp şəh ray məs bax yəni təq ing alm fr rus lat ad",
        final="s və.s və.b",
        maybe="e.ə b.e.ə mln mlrd man qəp",
        numbered="səh nöm cild maddə şək",
    ),
}
