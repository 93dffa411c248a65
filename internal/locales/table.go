package locales

// all are all locales. Names are frequent ones of their countries; phone numbers are of the ranges that are kept for
// fiction where a country has such.
var all = []Locale{
	{Tag: Default},
	{Tag: "en-US", Country: "US"},
	{Tag: "en-GB", Country: "GB", Companies: split(" Ltd| Group| Foods Ltd| Partners LLP| & Sons| Media Ltd"),
		First: names("Oliver Amelia Harry Isla George Ava Jack Emily Charlie Poppy Alfie Grace Freddie Sophie Archie " +
			"Florence Theo Evie Arthur Ivy"),
		Last: names("Smith Jones Taylor Brown Williams Wilson Davies Evans Thomas Johnson Roberts Walker Wright " +
			"Robinson Thompson White Hughes Edwards Green Clarke")},
	{Tag: "de", Country: "DE", Name: "Deutschland",
		First: names("Anna Lukas Marie Felix Sophie Jonas Lena Maximilian Laura Paul Julia Leon Katharina Tim Johanna " +
			"Jan Franziska Niklas Clara Jürgen"),
		Last: names("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer " +
			"Richter Klein Wolf Schröder Neumann Schwarz Krüger"),
		Companies: split(" GmbH| AG| & Söhne| GmbH & Co. KG| Logistik GmbH| Technik GmbH| Handel"),
		Days:      split("Montag|Dienstag|Mittwoch|Donnerstag|Freitag"),
		Titles:    split("Frau|Herr"),
		Sentences: split("Wird vom ganzen Team genutzt.|Wurde letzte Woche geprüft.|Ersetzt die Fassung vom Vorjahr.|" +
			"Für Kundinnen und Kunden, die danach fragen.|Im Frühjahr angelegt.|Von zwei Personen freigegeben."),
		Comments: split("Vielen Dank, sieht gut aus!|Bitte am Vormittag liefern.|Bitte vorher anrufen.|" +
			"So haben wir es besprochen.|Sehr zufrieden mit dem Ergebnis."),
		Towns: `Berlin|Berlin|BE|101##|DE|3023125###|Europe/Berlin|de|Lindenstraße;Kastanienallee;Torstraße|52.5200|13.4050
Hamburg|Hamburg|HH|203##|DE|4066969###|Europe/Berlin|de|Hafenstraße;Lange Reihe;Mühlenweg|53.5511|9.9937
München|Bayern|BY|803##|DE|8999998###|Europe/Berlin|de|Gartenstraße;Sonnenstraße;Bergweg|48.1351|11.5820
Köln|Nordrhein-Westfalen|NW|506##|DE|2214710###|Europe/Berlin|de|Ehrenstraße;Domstraße;Am Rhein|50.9375|6.9603
Frankfurt am Main|Hessen|HE|603##|DE|6990009###|Europe/Berlin|de|Schillerstraße;Hochstraße|50.1109|8.6821
Leipzig|Sachsen|SN|041##|DE|34199999##|Europe/Berlin|de|Goethestraße;Nikolaistraße|51.3397|12.3731`},
	{Tag: "fr", Country: "FR", Name: "France",
		First: names("Camille Louis Léa Gabriel Manon Jules Chloé Hugo Inès Lucas Zoé Nathan Juliette Arthur Louise " +
			"Théo Élise Antoine Margaux François"),
		Last: names("Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefèvre Michel " +
			"Garnier Faure Rousseau Blanc Guérin Chevalier"),
		Companies: split(" SARL| SA| & Fils| SAS| Conseil| Distribution"),
		Days:      split("lundi|mardi|mercredi|jeudi|vendredi"),
		Titles:    split("Mme|M."),
		Sentences: split("Utilisé chaque jour par toute l'équipe.|Vérifié la semaine dernière.|Remplace la version de l'an " +
			"dernier.|Réservé aux clients qui le demandent.|Créé au printemps.|Validé par deux personnes."),
		Comments: split("Merci, c'est parfait !|Livrer le matin, s'il vous plaît.|Appelez avant de passer.|" +
			"Comme convenu lors de la réunion.|Très satisfait du résultat."),
		Towns: `Paris|Île-de-France|IDF|750##|FR|19900####|Europe/Paris|fr|# rue de Rivoli;# rue des Lilas;# avenue Foch|48.8566|2.3522
Lyon|Auvergne-Rhône-Alpes|ARA|690##|FR|46571####|Europe/Paris|fr|# rue Victor Hugo;# rue du Lac;# cours Lafayette|45.7640|4.8357
Bordeaux|Nouvelle-Aquitaine|NAQ|330##|FR|53639####|Europe/Paris|fr|# rue Sainte-Catherine;# quai des Chartrons|44.8378|-0.5792
Marseille|Provence-Alpes-Côte d'Azur|PAC|130##|FR|49100####|Europe/Paris|fr|# La Canebière;# rue Paradis;# quai du Port|43.2965|5.3698
Lille|Hauts-de-France|HDF|590##|FR|35301####|Europe/Paris|fr|# rue de Béthune;# rue Nationale;# rue Faidherbe|50.6292|3.0573`},
	{Tag: "es", Country: "ES", Name: "España",
		First: names("Lucía Hugo María Martín Sofía Pablo Carmen Daniel Paula Alejandro Elena Javier Marta Diego Laura " +
			"Andrés Irene Sergio Alba José"),
		Last: names("García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández " +
			"Díaz Moreno Muñoz Álvarez Romero Navarro Torres"),
		Companies: split(" S.L.| S.A.| e Hijos| Servicios S.L.| Distribuciones"),
		Days:      split("lunes|martes|miércoles|jueves|viernes"),
		Titles:    split("Sra.|Sr."),
		Sentences: split("Lo usa todo el equipo.|Se revisó la semana pasada.|Sustituye a la versión del año pasado.|" +
			"Para los clientes que lo pidan.|Creado en primavera.|Aprobado por dos personas."),
		Comments: split("¡Gracias, está perfecto!|Entregar por la mañana, por favor.|Llamar antes de venir.|" +
			"Como acordamos en la reunión.|Muy contentos con el resultado."),
		Towns: `Madrid|Comunidad de Madrid|MD|280##|ES|91555####|Europe/Madrid|es|Calle Mayor;Calle de Alcalá;Gran Vía|40.4168|-3.7038
Barcelona|Cataluña|CT|080##|ES|93555####|Europe/Madrid|es|Carrer de Mallorca;Rambla de Catalunya;Carrer Gran|41.3874|2.1686
Valencia|Comunidad Valenciana|VC|460##|ES|96555####|Europe/Madrid|es|Calle de Colón;Calle de la Paz|39.4699|-0.3763
Sevilla|Andalucía|AN|410##|ES|95555####|Europe/Madrid|es|Calle Sierpes;Calle Betis|37.3891|-5.9845`},
	{Tag: "it", Country: "IT", Name: "Italia",
		First: names("Giulia Francesco Sofia Alessandro Aurora Lorenzo Martina Matteo Chiara Andrea Giorgia Leonardo " +
			"Francesca Davide Elisa Marco Alice Simone Sara Niccolò"),
		Last: names("Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Mancini " +
			"Giordano Rizzo Lombardi Moretti Barbieri"),
		Companies: split(" S.r.l.| S.p.A.| & Figli| Servizi S.r.l.| Distribuzione"),
		Days:      split("lunedì|martedì|mercoledì|giovedì|venerdì"),
		Titles:    split("Sig.ra|Sig."),
		Sentences: split("Lo usa tutto il gruppo.|Controllato la settimana scorsa.|Sostituisce la versione dell'anno scorso.|" +
			"Per i clienti che lo chiedono.|Creato in primavera.|Approvato da due persone."),
		Comments: split("Grazie, va benissimo!|Consegnare al mattino, per favore.|Telefonare prima di passare.|" +
			"Come deciso nella riunione.|Molto soddisfatti del risultato."),
		Towns: `Roma|Lazio|62|001##|IT|06555####|Europe/Rome|it|Via Appia;Via del Corso;Via Nazionale|41.9028|12.4964
Milano|Lombardia|25|201##|IT|02555####|Europe/Rome|it|Via Dante;Via Torino;Corso Venezia|45.4642|9.1900
Torino|Piemonte|21|101##|IT|011555###|Europe/Rome|it|Via Garibaldi;Via Po;Corso Francia|45.0703|7.6869
Bologna|Emilia-Romagna|45|401##|IT|051555###|Europe/Rome|it|Via Indipendenza;Via Zamboni;Via Marconi|44.4949|11.3426`},
	{Tag: "pt", Country: "PT", Name: "Portugal",
		First: names("Maria João Leonor Francisco Matilde Santiago Beatriz Afonso Carolina Duarte Mariana Tomás Inês " +
			"Rodrigo Ana Martim Sofia Gonçalo Clara António"),
		Last: names("Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Fernandes Gonçalves Gomes Lopes " +
			"Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira"),
		Companies: split(" Lda.| S.A.| & Filhos| Serviços, Lda.| Distribuição"),
		Days:      split("segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira"),
		Titles:    split("Sra.|Sr."),
		Sentences: split("É usado por toda a equipa.|Foi revisto na semana passada.|Substitui a versão do ano passado.|" +
			"Para os clientes que o pedirem.|Criado na primavera.|Aprovado por duas pessoas."),
		Comments: split("Obrigado, está ótimo!|Entregar de manhã, por favor.|Ligar antes de vir.|" +
			"Como combinado na reunião.|Muito satisfeitos com o resultado."),
		Towns: `Lisboa|Lisboa|11|1100-###|PT|21555####|Europe/Lisbon|pt|Rua Augusta;Rua da Prata;Avenida da Liberdade|38.7223|-9.1393
Porto|Porto|13|4000-###|PT|22555####|Europe/Lisbon|pt|Rua de Santa Catarina;Rua das Flores;Avenida dos Aliados|41.1579|-8.6291
Braga|Braga|03|4700-###|PT|253555###|Europe/Lisbon|pt|Rua do Souto;Avenida Central;Rua dos Chãos|41.5454|-8.4265
Coimbra|Coimbra|06|3000-###|PT|239555###|Europe/Lisbon|pt|Rua Ferreira Borges;Rua da Sofia|40.2033|-8.4103`},
	{Tag: "nl", Country: "NL", Name: "Nederland",
		First: names("Emma Daan Julia Sem Tess Lucas Sophie Finn Eva Bram Lotte Thijs Sanne Luuk Fleur Jesse Anouk Ruben " +
			"Femke Joost"),
		Last: names("Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Kuipers " +
			"Veenstra Kramer Scholten Prins Postma Willems"),
		Companies: split(" B.V.| N.V.| & Zonen| Logistiek B.V.| Techniek B.V."),
		Days:      split("maandag|dinsdag|woensdag|donderdag|vrijdag"),
		Titles:    split("mevr.|dhr."),
		Sentences: split("Wordt door het hele team gebruikt.|Vorige week gecontroleerd.|Vervangt de versie van vorig jaar.|" +
			"Voor klanten die erom vragen.|In het voorjaar gemaakt.|Door twee mensen goedgekeurd."),
		Comments: split("Bedankt, ziet er goed uit!|Graag 's ochtends bezorgen.|Eerst even bellen.|" +
			"Zoals afgesproken in het overleg.|Heel blij met het resultaat."),
		Towns: `Amsterdam|Noord-Holland|NH|10## AB|NL|20555####|Europe/Amsterdam|nl|Prinsengracht;Damrak;Vijzelstraat|52.3676|4.9041
Utrecht|Utrecht|UT|35## LM|NL|30555####|Europe/Amsterdam|nl|Oudegracht;Biltstraat;Domplein|52.0907|5.1214
Rotterdam|Zuid-Holland|ZH|30## KN|NL|10555####|Europe/Amsterdam|nl|Coolsingel;Witte de Withstraat;Meent|51.9244|4.4777
Groningen|Groningen|GR|97## GH|NL|50555####|Europe/Amsterdam|nl|Herestraat;Folkingestraat;Oude Ebbingestraat|53.2194|6.5665`},
	{Tag: "pl", Country: "PL", Name: "Polska",
		First: names("Zofia Jan Julia Antoni Hanna Jakub Maja Szymon Alicja Aleksander Oliwia Filip Katarzyna Piotr Agnieszka " +
			"Tomasz Magdalena Michał Ewa Łukasz"),
		Last: names("Nowak Wójcik Kowalczyk Woźniak Mazur Krawczyk Kaczmarek Zając Król Wróbel Dudek Stępień Górski Pawlak " +
			"Sikora Walczak Baran Michalak Szewczyk Pietrzak"),
		Companies: split(" Sp. z o.o.| S.A.| i Synowie| Logistyka Sp. z o.o.| Handel"),
		Days:      split("poniedziałek|wtorek|środa|czwartek|piątek"),
		Titles:    split("Pani|Pan"),
		Sentences: split("Używa tego cały zespół.|Sprawdzone w zeszłym tygodniu.|Zastępuje wersję z zeszłego roku.|" +
			"Dla klientów, którzy o to proszą.|Utworzone wiosną.|Zatwierdzone przez dwie osoby."),
		Comments: split("Dziękuję, wygląda dobrze!|Proszę dostarczyć rano.|Proszę wcześniej zadzwonić.|" +
			"Tak jak ustaliliśmy na spotkaniu.|Jesteśmy bardzo zadowoleni."),
		Towns: `Warszawa|mazowieckie|14|00-###|PL|22555####|Europe/Warsaw|pl|Nowy Świat;Marszałkowska;Puławska|52.2297|21.0122
Kraków|małopolskie|12|30-###|PL|12555####|Europe/Warsaw|pl|Floriańska;Długa;Grodzka|50.0647|19.9450
Gdańsk|pomorskie|22|80-###|PL|58555####|Europe/Warsaw|pl|Długi Targ;Mariacka;Grunwaldzka|54.3520|18.6466
Wrocław|dolnośląskie|02|50-###|PL|71555####|Europe/Warsaw|pl|Świdnicka;Legnicka;Kuźnicza|51.1079|17.0385`},
	{Tag: "ja", Country: "JP", Name: "日本", LastFirst: true,
		First: names("陽葵/Himari 蓮/Ren 凛/Rin 湊/Minato 結菜/Yuna 樹/Itsuki 芽依/Mei 大翔/Hiroto 莉子/Riko 悠真/Yuma 葵/Aoi 健/Ken " +
			"美咲/Misaki 翔太/Shota 由美/Yumi 拓也/Takuya 直美/Naomi 誠/Makoto 恵/Megumi 浩/Hiroshi"),
		Last: names("佐藤/Sato 鈴木/Suzuki 高橋/Takahashi 田中/Tanaka 伊藤/Ito 渡辺/Watanabe 山本/Yamamoto 中村/Nakamura 小林/Kobayashi " +
			"加藤/Kato 吉田/Yoshida 山田/Yamada 佐々木/Sasaki 山口/Yamaguchi 松本/Matsumoto 井上/Inoue 木村/Kimura 林/Hayashi 清水/Shimizu 森/Mori"),
		Companies: split("商事株式会社|工業株式会社|物流株式会社|株式会社|食品株式会社"),
		Days:      split("月曜日|火曜日|水曜日|木曜日|金曜日"),
		Titles:    split("様|さん"),
		Sentences: split("チーム全員で使っています。|先週確認済みです。|昨年の版に代わるものです。|ご希望のお客様向けです。|春に作成しました。|二名の承認済みです。"),
		Comments:  split("ありがとうございます。問題ありません。|午前中の配達をお願いします。|来る前にお電話ください。|会議で決めたとおりです。|結果にとても満足しています。"),
		Towns: `東京|東京都|13|100-00##|JP|35555####|Asia/Tokyo|ja|銀座;表参道;神田神保町|35.6762|139.6503
大阪|大阪府|27|530-00##|JP|65555####|Asia/Tokyo|ja|梅田;難波;心斎橋筋|34.6937|135.5023
京都|京都府|26|600-80##|JP|75555####|Asia/Tokyo|ja|四条通;河原町通;烏丸通|35.0116|135.7681
札幌|北海道|01|060-00##|JP|11555####|Asia/Tokyo|ja|大通西;南一条西;北三条西|43.0618|141.3545`},
}
