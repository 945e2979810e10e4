/** Stop words of Romance languages, from the public lists of the Snowball stemmers. */
export const romance = {
  french: `au aux avec ce ces dans de des du elle en et eux il je la le leur lui ma mais me même mes moi mon ne nos notre
    nous on ou par pas pour qu que qui sa se ses son sur ta te tes toi ton tu un une vos votre vous c d j l à m n s t y
    été étée étées étés étant suis es est sommes êtes sont serai seras sera serons serez seront serais serait serions
    seriez seraient étais était étions étiez étaient fus fut fûmes fûtes furent sois soit soyons soyez soient fusse
    fusses fût fussions fussiez fussent ayant eu eue eues eus ai as avons avez ont aurai auras aura aurons aurez auront
    aurais aurait aurions auriez auraient avais avait avions aviez avaient eut eûmes eûtes eurent aie aies ait ayons
    ayez aient eusse eusses eût eussions eussiez eussent ceci cela celà cet cette ici ils les leurs quel quels quelle
    quelles sans soi`,
  spanish: `de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque
    esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra
    otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho quienes nada
    muchos cual poco ella estar estas algunas algo nosotros mi mis tú te ti tu tus ellas nosotras vosotros vosotras os
    mío mía míos mías tuyo tuya tuyos tuyas suyo suya suyos suyas nuestro nuestra nuestros nuestras vuestro vuestra
    vuestros vuestras esos esas estoy estás está estamos estáis están esté estés estemos estéis estén estaré estaba
    estabas estábamos estaban estuve estuvo estuvieron estando estado he has ha hemos habéis han haya hayas hayamos
    hayan habré había habías habíamos habían hube hubo hubieron habiendo habido soy eres es somos sois son sea seas
    seamos sean seré será serán sería era eras éramos eran fui fuiste fue fuimos fueron siendo sido tengo tienes tiene
    tenemos tienen tenga tenía tenían tuve tuvo tuvieron teniendo tenido`,
  italian: `ad al allo ai agli all agl alla alle con col coi da dal dallo dai dagli dall dagl dalla dalle di del dello dei
    degli dell degl della delle in nel nello nei negli nell negl nella nelle su sul sullo sui sugli sull sugl sulla
    sulle per tra contro io tu lui lei noi voi loro mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra
    nostri nostre vostro vostra vostri vostre mi ti ci vi lo la li le gli ne il un uno una ma ed se perché anche come
    dov dove che chi cui non più quale quanto quanti quanta quante quello quelli quella quelle questo questi questa
    queste si tutto tutti a c e i l o ho hai ha abbiamo avete hanno abbia avrò avrai avrà avremo avrete avranno avevo
    aveva avevamo avevano ebbi ebbe ebbero avendo avuto sono sei è siamo siete sia siano sarò sarà saranno ero era
    eravamo erano fui fu furono essendo faccio fai fa facciamo fanno faceva facevano fece fecero facendo sto stai sta
    stiamo stanno stava stavano stette stando`,
  portuguese: `de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou
    quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você
    essa num nem suas meu às minha numa pelos elas qual nós lhe deles essas esses pelas este dele tu te vocês vos lhes
    meus minhas teu tua teus tuas nosso nossa nossos nossas dela delas esta estes estas aquele aquela aqueles aquelas
    isto aquilo estou está estamos estão estive esteve estiveram estava estavam esteja estejam hei há havemos hão houve
    houveram haja sou somos são era éramos eram fui foi fomos foram seja sejam serei será serão seria seriam tenho tem
    temos têm tinha tinham tive teve tiveram tenha tenham terei terá terão teria teriam`,
  romanian: `a abia acea aceasta această aceea aceeasi acei aceia acel acela acelasi acele acelea acest acesta aceste
    acestea acestei acestia acestui aceşti aceştia acolo acum ai aia aibă aici al ala ale alea alt alta altceva altcineva
    alte altfel alti altii altul am anume apoi ar are as asa asemenea asta astazi astea astfel asupra atare atat atata
    atatea atatia ati atit atita atitea atitia atunci au avea avem aveţi avut aş aşadar aţi ba ca cam cand capat care
    careia carora caruia cat catre caut ce cea ceea cei ceilalti cel cele celor ceva chiar ci cind cine cineva cit cita
    cite citeva citi citiva conform cu cui cum cumva că căci cărei căror cărui către da daca dacă dar dat dată dau de
    deasupra deci decit deja desi despre deşi din dintr dintre doar doi doilea două după dv ea ei el ele era eram este
    eu eşti face fara fata fel fi fie fiecare fii fim fiu fiţi foarte fost fără i ia iar ii il imi in inainte inapoi
    inca incit insa intr intre isi iti la le li lor lui lângă mai mare mea mei mele mereu meu mi mie mine mod mult multa
    multe multi multă mulţi mâine mă ne ni nici nimeni nimic niste nişte noastre noastră noi nostri nostru nou noua nouă
    noştri nu numai o or ori oricare orice oricine oricum oricât oriunde pe pentru peste pina pot prea prima primul prin
    printr putini puţin puţina puţină până rog sa sale sau se si sint sintem spate spre sub sunt suntem sunteţi sus să
    săi său ta tale te ti tine toata toate toată tocmai tot toti totul totusi toţi trei treia treilea tu tuturor tăi tău
    un una unde undeva unei uneia unele uneori unii unor unora unu unui unuia unul va vi voastre voastră voi vom vor
    vostru vouă voştri vreo vreun vă zi zice îi îl îmi în îţi ăla ălea ăsta ăştia şi ţi ţie`,
} as const;
