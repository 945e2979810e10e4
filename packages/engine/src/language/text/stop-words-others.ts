/** Stop words of other languages, from the public lists of the Snowball stemmers. */
export const others = {
  finnish: `olla olen olet on olemme olette ovat ole oli olisi olisit olisin olisimme olisitte olisivat olit olin olimme
    olitte olivat ollut olleet en et ei emme ette eivät minä minun minut minua minussa minusta minuun minulla minulta
    minulle sinä sinun sinut sinua sinussa sinusta sinuun sinulla sinulta sinulle hän hänen hänet häntä hänessä hänestä
    häneen hänellä häneltä hänelle me meidän meidät meitä meissä meistä meihin meillä meiltä meille te teidän teidät
    teitä teissä teistä teihin teillä teiltä teille he heidän heidät heitä heissä heistä heihin heillä heiltä heille
    tämä tämän tätä tässä tästä tähän tällä tältä tälle tuo tuon tuota tuossa tuosta tuohon tuolla tuolta tuolle se sen
    sitä siinä siitä siihen sillä siltä sille nämä näiden näitä näissä näistä näihin nuo noiden noita noissa noista ne
    niiden niitä niissä niistä niihin niillä niiltä niille kuka kenen kenet ketä kenessä kenestä keneen kenellä keneltä
    kenelle ketkä mikä minkä mitä missä mistä mihin millä miltä mille mitkä joka jonka jota jossa josta johon jolla
    jolta jolle jotka joiden joita joissa joista että ja jos koska kuin mutta niin sekä sillä tai vaan vai vaikka kanssa
    mukaan noin poikki yli kun nyt itse`,
  hungarian: `a ahogy ahol aki akik akkor alatt által általában amely amelyek amelyekben amelyeket amelyet amelynek ami
    amit amolyan amíg amikor át abban ahhoz annak arra arról az azok azon azt azzal azért aztán azután azonban bár be
    belül benne cikk cikkek cikkeket csak de e eddig egész egy egyes egyetlen egyéb egyik egyre ekkor el elég ellen elő
    először előtt első én éppen ebben ehhez emilyen ennek erre ez ezt ezek ezen ezzel ezért és fel felé hanem hiszen
    hogy hogyan igen így illetve ill ilyen ilyenkor ison ismét itt jó jól jobban kell kellett keresztül keressünk ki
    kívül között közül legalább lehet lehetett legyen lenne lenni lesz lett maga magát majd már más másik meg még mellett
    mert mely melyek mi mit míg miért milyen mikor minden mindent mindenki mindig mint mintha mivel most nagy nagyobb
    nagyon ne néha nekem neki nem néhány nélkül nincs olyan ott össze ő ők őket pedig persze rá s saját sem semmi sok
    sokat sokkal számára szemben szerint szinte talán tehát teljes tovább továbbá több úgy ugyanis új újabb újra után
    utána utolsó vagy vagyis valaki valami valamint való vagyok van vannak volt voltam voltak voltunk vissza vele
    viszont volna`,
  russian: `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
    меня еще нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам сказал
    ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто человек
    чего раз тоже себе под жизнь будет ж тогда кто этот говорил того потому этого какой совсем ним здесь этом один
    почти мой тем чтобы нее кажется сейчас были куда зачем сказать всех никогда сегодня можно при наконец два об другой
    хоть после над больше тот через эти нас про всего них какая много разве сказала три эту моя впрочем хорошо свою
    этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между`,
  turkish: `acaba ama aslında az bazı belki biri birkaç birşey biz bu çok çünkü da daha de defa diye eğer en gibi hem hep
    hepsi her hiç için ile ise kez ki kim mı mu mü nasıl ne neden nerde nerede nereye niçin niye o sanki şey siz şu tüm
    ve veya ya yani`,
} as const;
