/** Stop words of Germanic languages, from the public lists of the Snowball stemmers. */
export const germanic = {
  english: `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is are was
    were be been being have has had having do does did doing would should could ought i'm you're he's she's it's we're
    they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't
    aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't shouldn't can't cannot
    couldn't mustn't let's that's who's what's here's there's when's where's why's how's a an the and but if or because
    as until while of at by for with about against between into through during before after above below to from up
    down in out on off over under again further then once here there when where why how all any both each few more most
    other some such no nor not only own same so than too very`,
  german: `aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm andern
    anderr anders auch auf aus bei bin bis bist da damit dann der den des dem die das daß derselbe derselben denselben
    desselben demselben dieselbe dieselben dasselbe dazu dein deine deinem deinen deiner deines denn derer dessen dich
    dir du dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einig einige
    einigem einigen einiger einiges einmal er ihn ihm es etwas euer eure eurem euren eurer eures für gegen gewesen hab
    habe haben hat hatte hatten hier hin hinter ich mich mir ihr ihre ihrem ihren ihrer ihres euch im in indem ins ist
    jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können
    könnte machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mit muss musste
    nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie ihnen sind
    so solche solchem solchen solcher solches soll sollte sondern sonst über um und uns unse unsem unsen unser unses
    unter viel vom von vor während war waren warst was weg weil weiter welche welchem welchen welcher welches wenn
    werde werden wie wieder will wir wird wirst wo wollen wollte würde würden zu zum zur zwar zwischen`,
  dutch: `de en van ik te dat die in een hij het niet zijn is was op aan met als voor had er maar om hem dan zou of wat
    mijn men dit zo door over ze zich bij ook tot je mij uit der daar haar naar heb hoe heeft hebben deze u want nog
    zal me zij nu ge geen omdat iets worden toch al waren veel meer doen toen moet ben zonder kan hun dus alles onder
    ja eens hier wie werd altijd doch wordt wezen kunnen ons zelf tegen na reeds wil kon niets uw iemand geweest
    andere`,
  danish: `og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun
    nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog noget
    ville jo deres efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit sine vor mod
    disse hvis din nogle hos blive mange ad bliver hendes været thi jer sådan`,
  norwegian: `og i jeg det at en et den til er som på de med han av ikke der så var meg seg men ett har om vi min mitt ha
    hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv sjøl her alle vil bli ble
    blitt kunne inn når være kom noen noe ville dere deres kun ja etter ned skulle denne for deg si sine sitt mot å
    meget hvorfor dette disse uten hvordan ingen din ditt blir samme hvilken hvilke sånn inni mellom vår hver hvem vors
    hvis både bare enn fordi før mange også slik vært være begge siden henne hennes`,
  swedish: `och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då
    sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över
    än dig kan sina här ha mot alla under någon eller allt mycket sedan ju denna själv detta åt utan varit hur ingen
    mitt ni bli blev oss din dessa några deras blir mina samma vilken er sådan vår blivit dess inom mellan sådant varför
    varje vilka ditt vem vilket sitta sådana vart dina vars vårt våra ert era vilkas`,
} as const;
