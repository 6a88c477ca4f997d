"""The word lists of languages of Europe with fewer readers; the format is that of `lists`."""

from cleanbreak.core.sentences.languages.language import Words

EUROPE: dict[str, Words] = {
    "lt": Words(
        spaced_closers="“",
        letters="ėįųū",
        small="""
        ir yra kad ne į iš su už ant po prie nuo iki apie per dėl tai jis ji jie jos mes jūs aš tu kas kaip kai
        ar bet o taip pat tik dar jau buvo bus gali jei nes kuris kuri kurie šis ši šie tas ta pagal pasak todėl
        tačiau čia ten jo jų savo plg
        """,
        title="""
        dr prof habil doc akad gerb p pvz nr plg žr t.y vad vyr inž gyd kun vysk mok dir pav red vert sud angl vok
        pranc rus lot gr liet lenk gim mir tel faks a.k sav r raj apskr mst k vnt
        """,
        final="kt pan t.t",
        maybe="""
        pr.m.e m.e proc tūkst mln mlrd val min sek m d a amž a.s mėn lt eur ct g pl al pr egz
        """,
        numbered="str psl p punk dal pav lent skyr sk t",
    ),
    "lv": Words(
        letters="āēīūģķļņ",
        small="""
        un ir ka no uz ar par pie pēc līdz bez pa bet vai kā kas ko kad ja jo lai tas tā tie tās viņš viņa viņi
        mēs jūs es tu šis šī šo arī vēl jau tikai nav bija būs var savu kur tad tomēr taču gan ne nē tagad
        """,
        title="""
        dr prof doc akad hab mag piem t.i t.s sk skat salīdz vad dir red tulk dzim tālr ģen plkv
        kpt sv gs bīsk inž tel apm nod zin resp
        """,
        final="utt u.tml u.c tml",
        maybe="p.m.ē m.ē gs tūkst milj mljrd mlrd eur plkst min sek st proc g gad",
        numbered="nr lpp p pp att tab nod sēj",
        ordinals=True,
    ),
    "et": Words(
        letters="õ",
        small="""
        ja on ei et see ta oli mis ka kui aga oma nii siis ning või kes tema nad me ma sa te mina sina meie teie
        nende selle seda need kuid veel juba vaid välja kus kuidas sest pole olid ole olnud üks kõik peale pärast
        enne
        """,
        title="dr prof hr pr prl mag kol kpt ltn nt näit vt vrd s.o s.t nn st sh e u ca umb v.a k.a ingl sks tlk toim koost sünd tel",
        final="jne jms vms jpt jm jpm ims",
        maybe="e.m.a m.a.j e.kr p.kr saj tuh milj mld mln kr eur kl min sek tk a pst",
        numbered="nr lk lg p ptk jn joon tab kd",
        ordinals=True,
    ),
    "is": Words(
        letters="ðþ",
        small="""
        og að í á sem er var ekki það þetta þessi hann hún þeir þær þau við ég þú til um með fyrir af en eða því
        hafa hefur hafði eru voru verið frá eftir svo þá þar hér nú líka bara mjög hvað hver hvernig þegar
        hvort ef sú sá þegar síðan einnig verður verða en mér mig okkur honum henni ekkert ætli
        """,
        title="hr dr prof hæstv hv þm sr próf ath t.d þ.e t.a.m s.s m.a skv sbr u.þ.b þ.á.m svokall fyrrv forstj ritstj útg þýð ensk lat",
        final="o.s.frv o.fl o.þ.h o.s.fv",
        maybe="f.kr e.kr þús millj kr kl umr mín klst sek mán gr hf ehf ohf s.l nk",
        numbered="nr bls mgr gr tölul tbl bd",
        ordinals=True,
    ),
    "sl": Words(
        letters="čšž",
        small="""
        in je na se da so za v z s ki pa ne to kot po iz od do bi bil bila bilo bili tudi ali pri ob če ker
        kateri katera katere lahko ko še že le samo sem smo ste ni kaj kako kje tako ta ti med pred pod nad
        vendar jih ga mu njegov njen
        """,
        title="dr prof mag inž doc akad sv npr t.i tj oz gl prim g gdč ul gen polk kap dipl ing univ lat nem angl fr it rus tel roj",
        final="itd ipd idr",
        maybe="pr.n.št n.št d.o.o d.d s.p tis mio mrd stol",
        numbered="ste št str čl odst pogl sl tab zv let",
        ordinals=True,
    ),
    "sr": Words(
        letters="ђћџљњј",
        small="""
        и је на се да у за од са су не то као по из о који која које али или до би ће био била било што кад када
        још само није те при након пре после где овде ја ти он она ми ви они
        šta gde ovde pre posle uvek nego svega
        """,
        title="""
        др проф мр инж св нпр тзв тј ул акад ген пук кап лат нем енгл фр дипл
        dr prof mr inž sv npr tzv tj ul akad gen dipl
        """,
        final="итд сл itd sl",
        maybe="год г ст н.е п.н.е д.о.о мил млрд дин god n.e p.n.e d.o.o a.d din",
        numbered="бр стр чл ст сл таб br str čl st tab",
        ordinals=True,
    ),
    "be": Words(
        letters="ўіы",
        small="""
        і ў у на не што гэта ён яна яны мы вы я з са як а але па да ад за аб пра для пры так жа бы ўсё яго яе іх
        быў была было былі або калі дзе ужо ўжо толькі таксама які якая якія ёсць няма яшчэ пад над без праз
        пасля перад аднак потым цяпер тут там хто
        """,
        title="""
        г гр праф акад дац ім св вул пр пл зав буд кв воз р с в вобл р-н гл параўн напр т.зв г.зн
        англ ням фр лац грэч рус польск рэд пер нар інж ген
        """,
        final="г.д т.п інш",
        maybe="н.э руб кап тыс млн млрд гг ст стст км м см кг га хв гадз г",
        numbered="с стар п арт мал табл т ч №",
    ),
    "ga": Words(
        small="""
        an na agus is tá bhí ar ag le i do de go a sé sí siad mé tú muid sibh nach ní bhfuil ach mar seo sin
        chun ó faoi gur atá raibh bheith cé nuair má dá leis aige acu aici don den san sa eile nó tar idir é í á ó ba níor nuair bhíodh déan beidh gach sula tá sna ina lena agam orm
        """,
        title="tUas uas dr prof bn m.sh i.e eag imll st",
        final="srl etc",
        maybe="r.ch i.n r.n teo t.d",
        numbered="lch lgh uimh ich iml",
    ),
    "gl": Words(
        small="""
        o a os as un unha uns unhas do da dos das e ou mais pero que en no na nos nas con por para sen sobre entre
        ata seu súa seus súas non é son era foi hai ten teñen ao á aos ás polo pola moi tamén xa el ela eles
        elas eu nós este esta iso cando onde porque como máis
        """,
        title="sr sra sres d dna dr dra prof profa st sto sta av avda r prz p.ex ex aprox tel xen cap ref núm arq",
        maybe="s.a s.l a.c d.c a.m p.m ltda cía séc",
        numbered="páx páxs p pp núm art arts fig vol cap ed t",
    ),
    "eu": Words(
        small="""
        eta da du ez bat ere dira den zen dute izan hau hori baina edo zuen ziren dago egin behar bere beste
        baino oso gero orain hemen hor han nola non noiz zer nor baita duen dituen ditu gabe arte haiek gu zu
        ni hala hain
        """,
        title="dr prof jn and adib ad hots bereh kald etorb tel ik cf",
        final="etab abar eab",
        maybe="k.a k.o s.a",
        numbered="or orr zk zenb art irud kap",
        ordinals=True,
    ),
    "sq": Words(
        letters="ëç",
        small="""
        dhe në të e i se që me për nga një është janë ka kanë nuk si do më ky kjo këto këta ai ajo ata ato ne ju
        unë ti por ose kur ku çfarë kush sepse deri pas para mbi nën tek ishte ishin edhe shumë vetëm
        """,
        title="dr prof doc inxh z znj zt rr bul p.sh d.m.th krhs gjen kol akad ang lat",
        final="etj",
        maybe="p.e.s e.s sh.a sh.p.k mln mld",
        numbered="nr fq f vëll kap fig",
    ),
}
