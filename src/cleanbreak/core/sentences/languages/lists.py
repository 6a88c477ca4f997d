"""The word lists, by ISO 639-1 code: our own making, from grammars and everyday reading.

`lists_europe` and `lists_asia` hold further languages. To add one, add an entry: thirty small words, and the abbreviations a reader meets. Words
are lower case and without their last full stop, those that a common word would be mistaken for
("Ill." for Illinois) with a capital, which the text must then have too. Spaces inside an abbreviation ("z. B.") need no
entry, as a single letter before a full stop never ends a sentence by itself.
"""

from cleanbreak.core.sentences.languages.language import Words

UNIVERSAL = Words(
    title="""
    mr mrs ms mx dr drs prof rev hon gen col maj capt cpt cmdr lt sgt cpl adm gov sen rep pres ste
    mme mlle mgr msgr messrs fr sr sra srta hr vs cf viz ca approx p.s n.b e.g i.e eg ie u.a z.b d.h
    """,
    final="etc",
    maybe="""
    inc ltd co corp bros llc jr sr esq al st ph.d m.d b.a m.a b.sc m.sc ed eds dept univ
    a.m p.m u.s u.k u.n e.u u.s.a d.c a.d b.c b.c.e c.e r.i.p
    """,
    numbered="no nos n° nr fig figs vol vols pp p art sec ch chap eq tab op ver",
)

# What a number counts at the start of a heading, in any language: Chapter 1. The storm.
_HEADING_WORDS = """
chapter part book section volume act scene canto article appendix lesson unit step rule
figure table example exercise question problem theorem lemma definition proposition corollary
abbildung tabelle schritt regel satz beispiel étape tableau exemple figura tabla tabela tabella paso
kapitel teil band abschnitt buch akt artikel lektion szene
chapitre partie livre tome acte scène annexe leçon
capítulo parte libro tomo acto escena artículo sección lección
capitolo atto scena articolo sezione lezione
livro ato artigo seção parágrafo lição
hoofdstuk deel boek bijlage les del bok avsnitt bilaga kappale luku osa liite
rozdział część księga tom rozdzial kapitola část kniha díl kapitola časť poglavje poglavlje deo dio
глава часть книга том раздел статья розділ частина стаття поглавље
capitolul partea cartea articolul fejezet rész bölüm kısım kitap madde κεφάλαιο μέρος βιβλίο
"""
HEADING_WORDS = frozenset(_HEADING_WORDS.split())

WORDS: dict[str, Words] = {
    "en": Words(
        names="kqtuwxyz",
        small="""
        the a an this that these those he she it we you they i his her its our your their my there here
        what when where why who how which if in on at as but and so for from to by with after before
        although while since then however no yes not all some many most is are was were be been have
        has had do does did can could will would should of or than also because until during today yesterday
        tomorrow now maybe perhaps please another each every thus therefore instead still even only once
        """,
        title="""
        mr mrs ms mx dr drs prof rev hon gen col maj capt lt sgt cpl pvt adm gov sen rep pres supt insp det
        mt ft messrs mmes fr br sr asst assoc hts pl
        vs v cf viz approx incl excl esp resp e.g i.e ca repr trans tel attn Fig Figs App Apps Ref Refs Eq Eqs Tab
        Feat Civ Crim Bankr Adm cit seq
        """,
        maybe="""
        inc ltd co corp bros llc plc jr sr esq al ed eds est
        ave blvd rd hwy dept univ assn
        jan feb Mar apr jun jul aug sep sept oct nov dec
        Mon tue tues Wed thu thur thurs fri
        oz lb lbs ft yd hr hrs min mins sq cu
        Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky Mass Mich Minn Miss Mo Mont Neb Nev
        Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo st Fed Cir Ct Supp Evid Com Stat Reg Const prod temp temps cent
        pts ext
        """,
        numbered="""
        no nos fig figs vol vols pp pg pgs p art arts sec secs ch chap eq eqs tab op para ver vv v § bk pt ser Ex Lev
        Deut Josh Judg Ps Prov Eccl Isa Jer Ezek Zech Mal Matt Rom Gal Eph Phil Thess Heb ref refs
        """,
    ),
    "de": Words(
        letters="ßäö",
        endings="str",
        small="""
        der die das den dem des ein eine einen einem einer und oder aber doch denn er sie es wir ihr ich du
        man sich nicht ist sind war waren wird werden wurde hat haben hatte mit von zu zum zur im in am an
        auf aus bei nach für um über unter vor durch als wie wenn dass daß weil da dann so auch noch nur
        schon sehr hier dort dieser diese dieses was wer wo warum mein sein ihre seine kein keine jedoch später dabei danach damit dazu deshalb zwar alle alles etwa seit während trotz
        gegen zwischen sowie sein seine ihr
        """,
        title="""
        hr hrn fr frl dr dres prof hl st sel dipl ing bzw bspw ca ggf evtl sog insb inkl exkl vgl dgl
        geb gest verh gez resp d.h z.b u.a i.d.r z.t u.u o.g m.e s.o s.u v.a allg bes betr bez eigtl einschl
        entspr erg ev gem gen kath lat max min mind mtl norw num phil rd röm russ schwed span
        tel urspr v vorm wg zzgl zzt abt abs abb Mag med jur rer nat hg hrsg ehem lt südl nördl westl östl dt engl franz
        """,
        final="etc usw uvm u.v.m uva u.v.a u.ä u.a.m o.ä dergl",
        maybe="bzgl str ff f jh jhd jhdt mio mrd tsd std min sek chr gmbh e.v a.d a.m jr sen jun uhr Mill Mrd",
        numbered="jan feb febr apr aug sept okt nov dez nr nrn s bd bde art ziff kap abb tab anm rn § z p",
        ordinals=True,
    ),
    "fr": Words(
        letters="çœêùû",
        small="""
        le la les un une des du de et ou mais donc car ni il elle on nous vous ils elles je tu ce cette ces
        cet son sa ses leur leurs mon ma mes qui que quoi dont où est sont était a ont avait dans en sur sous
        avec pour par sans chez à au aux ne pas plus très si comme quand lorsque depuis après avant pendant selon ainsi puis alors cependant aussi entre
        chaque tout tous certains plusieurs
        """,
        title="""
        m mm mme mmes mlle mlles mgr dr drs pr prof Me mes st ste sts cf env p.ex ex c.-à-d c.à.d av apr
        bd boul éd hab resp tél réf coll trad coord bull cit arr conf
        """,
        maybe="j.-c s.a s.a.r.l suiv chap bis ter",
        numbered="janv févr avr juil sept oct nov déc p pp n no nos art fig vol t chap ch al §",
    ),
    "es": Words(
        letters="ñ¿¡",
        small="""
        el la los las un una unos unas de del y o pero que en con por para sin sobre entre desde hasta su sus
        se lo le les es son era fue ser está están hay ha han había no sí más muy como cuando donde porque si
        éste ésta tras según así además aunque durante cada otro otra
        al a mi tu él ella ellos ellas yo nosotros este esta estos estas ese esa aquel también ya todo todos
        """,
        title="""
        sr sra sres srta d dña dn dr dra drs dres prof profa lic ing arq gral cnel cap tte sgto mons rdo fr
        sto sta st excmo excma ilmo ilma ud uds vd vds av avda avd c p.ej ej aprox máx mín núm gob pte pdte ee ff ord
        ref fdo cit trad coord sgte atte tlf teléf
        """,
        maybe="s.a s.l ee.uu eeuu ee.uu jj.oo a.c d.c a.m p.m cía ltda tel dpto depto",
        numbered="ene feb abr jun jul ago sep sept oct nov dic pág págs p pp núm nº n art arts fig figs vol cap ed t",
    ),
    "it": Words(
        letters="ìò",
        small="""
        il lo la i gli le un uno una di del della dei delle dello degli e ed o ma che in nel nella nei con su
        sul sulla per da dal dalla tra fra si non è sono era erano ha hanno aveva come quando dove perché se
        anche più molto al alla ai alle questo questa questi quello quella suo sua suoi lui lei loro noi ci
        """,
        title="""
        sig sigg sig.ra sig.na sigra signa dott dott.ssa dottssa dr prof prof.ssa proff avv ing arch rag geom
        on mons don gen col cap magg ten serg ss s san egr gent spett card fam c.d cfr es ad.es p.es tel min max ecc.mo
        v.le p.zza c.so l.go
        """,
        final="ecc etc",
        maybe="s.p.a s.r.l a.c d.c sec cit",
        numbered="gen feb apr giu lug ago ott nov dic p pp pag pagg n nn nr art artt fig figg vol cap ed sec lett co d.lgs d.p.r l",
    ),
    "pt": Words(
        letters="ãõ",
        small="""
        o a os as um uma uns umas de do da dos das e ou mas que em no na nos nas com por para sem sobre entre
        até seu sua seus suas se não é são era foi ser está há tem têm como quando onde porque ao à aos pelo
        pela mais muito também já ele ela eles elas eu nós este esta esse essa isso todo
        """,
        title="""
        sr sra srs sras srta d dr dra drs dras prof profa profs eng arq gen cel cap ten sgt pe fr exmo exma
        ilmo ilma v.exa av r gov min mons p.ex ex aprox tel dep des min máx sto sta st al pça trav Sp Fr Univ univ
        conf cit Ltd ref refª trad org orgs coord Rep aux adv
        """,
        maybe="s.a ltda cia a.c d.c a.m p.m e.u.a eua séc tb",
        numbered="jan fev abr ago nov dez p pp pág págs n nº núm art arts fig figs vol cap ed t séc",
    ),
    "nl": Words(
        small="""
        de het een en of maar want dat die deze dit in op aan van voor met door bij naar uit over onder tot te
        om als is zijn was waren wordt werd heeft hebben had niet ook nog wel er hij zij ze we wij ik je jij
        u hun haar mijn geen wat wie waar hoe toen dan dus omdat al zo meer daar daarna daarom daardoor daarmee
        daarbij hierdoor hierna hier toch echter bovendien nu vandaag morgen gisteren ons onze hen alle elke
        sinds tijdens volgens tussen na kan kunnen moet moeten zou zal
        """,
        title="""
        dhr mevr mw mej dr drs ir ing mr prof ds jhr st sint bv bijv ca evt enz.a incl excl resp o.a d.w.z
        m.b.t m.a.w i.v.m z.g zgn t.a.v a.u.b o.l.v n.a.v t.o.v t.g.v i.t.t z.s.m s.v.p t/m vnl max min mgr burg Mag
        wnd vert
        """,
        final="enz etc e.d e.a",
        maybe="n.v b.v a.s jl jr sr v.chr n.chr nl mld mln min sec",
        numbered="jan feb mrt apr aug sept okt nov dec nr nrs blz p pp art afb fig hfdst dl bd vol",
    ),
    "pl": Words(
        letters="łąęśżźńć",
        small="""
        i w z na do o się nie to jest że a ale jak po od za przez dla przy co czy tak jego jej ich ten ta te
        tego tej był była było były są ma już tylko może gdy oraz lub który która które których przed pod nad
        u we ze też jednak my on ona oni jeśli jeżeli nawet wtedy podczas również natomiast dlatego ponieważ teraz potem
        wówczas skoro choć gdyby kiedy gdzie każdy wszystkie
        """,
        title="""
        dr prof hab med mgr inż lic lek ks św bł bp abp kard gen płk mjr kpt por ppor sierż al ul pl os im
        np m.in tzw tzn tj wg ok min maks zob por ww dot wys dł szer łac ang niem franc ros pow gm właśc prok adw sen pos red tłum przyp d.o.o jw śp
        pn tel ur zm asp podkom nadkom kom insp podinsp st mec kan dyr wicedyr przew rtm chor plut szt
        współcz pocz wsch zach płn płd lit ewent gł zw wyd opr ppłk
        """,
        final="itd itp etc i.in zł",
        maybe="r w n.e p.n.e wł gr godz tys mln mld sp o.o sp.j s.a proc",
        numbered="nr str s t ust dz.u art pkt poz rys tab ryc rozdz godz",
    ),
    "ru": Words(
        letters="ыэё",
        small="""
        и в во не на что он она они я мы вы с со как а но по к из у за от до о об для это этот эта эти так
        же бы то все его ее её их был была было были при или если когда где уже только также который которая
        которые быть есть нет ещё еще под над без через после перед однако затем потом теперь тогда сегодня
        здесь там кто поэтому всего несколько другой каждый
        """,
        title="""
        г гг г-н г-жа гр тов проф акад доц им св ст ул пр просп пл пер наб бул бульв д кв корп стр оз о р с дер
        пос обл р-н см ср напр т.е т.н т.к т.о и.о англ нем фр франц лат греч итал исп яп кит рус русск
        чел сокр букв тж мн ч ген полк кап лейт серж инж к.э.н д.т.н пп род ок прим изд
        """,
        final="т.д т.п проч",
        maybe="др пр н.э руб коп тыс млн млрд трлн гг вв в экз км м мин сек час ч стр л кг га г",
        numbered="янв февр апр авг сент окт нояб дек стр с п пп ст рис табл гл т № илл",
    ),
    "el": Words(
        small="""
        ο η το οι τα του της των τον την τους τις και ή αλλά να θα δεν μην που πως ότι αν σε στο στη στην στον
        στα στους στις με για από ως κατά μετά πριν είναι ήταν έχει έχουν είχε ένας μια ένα αυτό αυτή αυτός
        όπως όταν πολύ πιο μας σας τι ποιος πού
        """,
        title="κ κα κος κ.κ δρ καθ αγ π.χ δηλ πρβλ αρ τηλ λεωφ οδ σημ βλ χλμ τετρ εκατ μτφρ επιμ εκδ στρ υποστρ ταξ αρχ",
        final="κ.λπ κ.ά κλπ κτλ κ.τ.λ κ.ο.κ",
        maybe="π.χ μ.χ π.μ μ.μ α.ε ε.π.ε εκ δισ χιλ",
        numbered="σελ σ αρ αριθ τομ τ κεφ άρθ παρ εικ",
        extra_marks=";",
        letters="άέήίόύώςη",
    ),
    "tr": Words(
        letters="ığş",
        small="""
        ve bir bu da de için ile o olarak olan daha çok en ne gibi kadar sonra önce her ama değil ki mi mı mu
        mü var yok ben sen biz siz onlar şu ise veya ya hem diye göre olduğu ancak
        """,
        title="dr prof doç av sn yrd alb gen müh hz bkz örn ör st ort çev cad sok mah apt uzm öğr gör",
        final="vb vs vd",
        maybe="a.ş ltd şti m.ö m.s",
        numbered="sen no s ss sf md c bkz",
        ordinals=True,
    ),
    "sv": Words(
        letters="åäö",
        small="""
        och att det i en ett som på är av för med den till han hon de vi jag du inte om har var men sig så från
        vid eller kan när där här efter under mot över utan även hade blev ska skulle
        """,
        title="""
        dr prof hr fr kap t.ex bl.a d.v.s dvs s.k f.d m.a.o ev ca jfr resp inkl exkl fr.o.m t.o.m p.g.a pga i.o.m kgl
        fd sk ung urspr bla tex st.f dåv nuv enl ang avd
        """,
        final="osv etc m.m m.fl o.d o.s.v mfl mm",
        maybe="f.kr e.kr kl kr st milj mdr mkr tkr tim",
        numbered="hon nr s sid kap fig bd vol art jan febr apr aug sept okt nov dec",
    ),
    "da": Words(
        letters="åøæ",
        small="""
        og i at det en et som på er af for med den til han hun de vi jeg du ikke om har var men sig så fra ved
        eller kan når hvor der efter under mod over uden også havde blev skal skulle
        """,
        title="""
        dr prof hr fr skt st f.eks bl.a dvs d.v.s ca jf jfr evt inkl ekskl s.k såk hhv pga ifm kgl tidl nuv vedr pr vilh
        chr joh adm opr oprind tlf ang iflg gl
        """,
        final="osv etc m.m m.fl o.l mv m.v",
        maybe="f.kr e.kr kl mia mill mio tkr jur polyt mag merc pct kr st aps afd",
        numbered="nr s kap fig bd stk art § str sml sp jan feb febr apr aug sept okt nov dec pkt kbh",
        ordinals=True,
    ),
    "no": Words(
        letters="åøæ",
        small="""
        og i at det en et som på er av for med den til han hun de vi jeg du ikke om har var men seg så fra ved
        eller kan når hvor der etter under mot over uten også hadde ble skal skulle
        """,
        title="dr prof hr fr st f.eks bl.a dvs d.v.s ca jf jfr evt inkl ekskl s.k pga ifm kgl tidl nåv vedr pr adm opr iflg gl hhv mht",
        final="osv etc m.m m.fl o.l mv m.v",
        maybe="f.kr e.kr kl mia mill mrd kr pst avd jur",
        numbered="nr s kap fig bd art § jan feb febr apr aug sept okt nov des pkt kl",
        ordinals=True,
    ),
    "fi": Words(
        letters="äö",
        small="""
        ja on ei se että hän ne he oli ovat kun mutta myös niin kuin jos tai joka jotka mikä tämä nämä sen
        sitä hänen ole olla minä sinä me te vain jo nyt sekä
        """,
        title="esim ts tri prof ks vrt mm em mr hra rva nti toim ent vs ml ns nk nyk synt syn ed mahd puh os kirj suom lat engl ruots",
        final="jne ym yms",
        maybe="eaa jaa klo min tunt mrd milj kpl",
        numbered="sen s nro ks luku kuva kohta",
        ordinals=True,
    ),
    "cs": Words(
        letters="řěůťď",
        small="""
        a v na se je že to s z do o i k pro ale jako za by po od při ve si tak jeho její jejich ten ta které
        který která byl byla bylo byli jsou jsem není už jen také nebo když co pod nad před u ze
        """,
        title="dr prof doc ing mgr bc mudr judr phdr rndr p pí sv gen plk mjr kpt např tzv tzn tj mj resp cca srov viz ul nám tř angl franc něm lat řec rus šp býv stol okr",
        final="atd apod aj",
        maybe="r st n.l př.n.l s.r.o a.s kč hod tis mil mld",
        numbered="č čís s str roč odst sv obr tab kap",
        ordinals=True,
    ),
    "sk": Words(
        letters="ľĺŕťď",
        small="""
        a v na sa je že to s z do o i k pre ale ako za by po od pri vo si tak jeho jej ich ten tá ktoré ktorý
        ktorá bol bola bolo boli sú som nie už len aj alebo keď čo pod nad pred u zo
        """,
        title="dr prof doc ing mgr bc mudr judr phdr rndr p sv gen plk mjr kpt napr tzv tzn tj resp cca porov angl franc nem lat gréc rus tal špan stor pol býv hl obv okr ul nám",
        final="atď apod",
        maybe="r st n.l pr.n.l s.r.o a.s hod tis mil mld",
        numbered="č čís s str roč ods obr tab kap",
        ordinals=True,
    ),
    "hu": Words(
        letters="őű",
        small="""
        a az és hogy nem is egy ez azt de van volt meg csak már még mint ha vagy el ki be ezt aki ami amely
        után alatt között lesz lett pedig ő ők én te mi ti minden
        """,
        title="dr prof ifj id özv pl ún kb ill vö ld stb.a u st szt tel",
        final="stb",
        maybe="kft rt zrt bt nyrt i.e i.sz",
        numbered="o old sz évf",
        ordinals=True,
    ),
    "ro": Words(
        letters="ășțşţ",
        small="""
        și şi în de la cu pe un o nu că să se este sunt din care pentru mai a al ale ca dar sau după până prin
        despre fost era are au el ea ei noi voi eu acest această când unde foarte
        """,
        title="""
        dl dna dr d-l d-na prof ing gen col cpt sf str bd ex aprox cca av lect conf nr.crt adm jud mun
        trad coord red cit înv
        """,
        final="etc ș.a ş.a",
        maybe="î.hr d.hr s.a s.r.l mil mld hg",
        numbered="nr pag p art fig vol cap lit alin pct par sec ian feb apr aug sept oct dec",
    ),
    "uk": Words(
        letters="іїєґ",
        small="""
        і й в у не на що він вона вони я ми ви з із зі як а але по до та за від о про для це цей ця ці так же
        б би все його її їх був була було були при або якщо коли де вже тільки також який яка які є ще під
        над без через після
        """,
        title="""
        г гр п пан тов проф акад доц ім св вул просп пл пров бул буд кв корп оз р с смт обл див пор напр т.зв
        тзв т.ч англ нім фр франц ісп італ пол рос яп лат грец кол ред гол ст канд наук о
        """,
        final="т.д т.п ін",
        maybe="н.е грн коп тис млн млрд рр р ст хв год сек км м кг га та",
        numbered="стор с п ст рис табл гл т ч №",
    ),
    "bg": Words(
        letters="ъ",
        small="""
        и в на не се да е за от с по като но че до със са той тя те то аз ние вие или при след преди този тази
        тези който която които беше бяха има няма също само още когато където със през ще
        """,
        title="г г-н г-жа проф доц акад инж св ул бул пл гр с обл им вж ср напр т.нар т.е т.н д-р арх",
        final="т.н",
        maybe="др лв хил млн млрд г гг в н.е пр.н.е",
        numbered="стр с бр чл ал т фиг табл гл №",
    ),
    "hr": Words(
        letters="đćč",
        small="""
        i u na je se da za od s su ne to kao po iz o koji koja koje ali ili sa do bi će bio bila bilo što kad
        kada još samo nije te pri nakon prije
        """,
        title="dr prof mr ing sv npr tzv tj ul gosp gđa g arhit akad br",
        final="itd sl",
        maybe="st god d.o.o d.d pr.kr",
        numbered="br str čl st sl tab",
        ordinals=True,
    ),
    "ca": Words(
        small="""
        el la els les un una uns unes de del dels i o però que en amb per sense sobre entre des fins seu seva
        es és són era va ha han no més molt com quan on perquè si al als també ja tot aquest aquesta
        """,
        title="sr sra sres dr dra prof st sta mn av c p.ex ex aprox núm gral",
        maybe="s.a s.l a.c d.c",
        numbered="pàg pàgs p pp núm art fig vol cap",
    ),
}
