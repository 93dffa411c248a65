package fields

const (
	clubs = "Northfield United|Harbour City FC|Riverside Rovers|Lakeside Athletic|Castell " +
		"Wanderers|Oakfield Town|Westgate Rangers|Old Town SC"
	matchWord = "fixture match game matchstats stats standing statistics lineup result"
)

// sport are rules for clubs, leagues and matches.
var sport = []rule{
	{names: "name title competition competitionname leaguename", under: "league competition tournament cup championship", texts: oneOf("Premier Division|Northern League|" +
		"City Cup|First Division|Women's League|Champions Trophy|Youth League|Coastal Conference")},
	{names: "competition competitionname leaguename", texts: oneOf("Premier Division|Northern League|City Cup|First Division")},
	{names: "name clubname fullname", under: "club footballclub sportsclub", texts: oneOf(clubs)},
	{names: "hometeam hometeamname homeclub fromclub", texts: together(clubs)},
	{names: "awayteam awayteamname awayclub toclub opponent opponentname", texts: shifted{clubs, 3}},
	{names: "teamname team clubname winner loser champion", under: "fixture match game " +
		"standing transfer player matchevent club league lineup result tournament", texts: oneOf(clubs)},
	{names: "clubname", texts: oneOf(clubs)},
	{names: "shortname abbreviation shortcode tla", under: "club team league", texts: together("NFU|HCF|RIV|LAK")},
	{names: "abbreviation shortcode", texts: patterns("@@@")},
	{names: "nickname", under: "club team", texts: together("The Blues|The Sailors|The Otters|The Swans")},
	{names: "stadium stadiumname ground arena homeground", texts: oneOf("Riverside Park|Harbour Stadium|Oakfield Arena|Lakeside Ground")},
	{names: "venue", under: "fixture match game", texts: oneOf("Riverside Park|Harbour Stadium|Oakfield Arena|Lakeside Ground")},
	{names: "stadiumcapacity capacity", under: "club stadium arena", numbers: between(8_000, 62_000)},
	{names: "season seasonname", under: "league competition player standing fixture match club team", texts: oneOf("2024/25|2025/26")},
	{names: "season seasonname", texts: oneOf("2024/25|2025/26|Spring 2025"), numbers: between(1, 8)},
	{names: "round currentround matchday matchweek gameweek", numbers: between(1, 34)},
	{names: "numberofteams teamcount teams", under: "league competition tournament", numbers: between(8, 20)},
	{names: "tier division", under: "league", numbers: between(1, 4)},
	{names: "governingbody federation association confederation", texts: oneOf("Football Association|National Federation|Regional Association")},
	{names: "trophies titles titlecount", under: "club team", numbers: between(0, 24)},
	{names: "president chairman chairwoman coach headcoach assistantcoach captain", texts: writes(someone)},
	{names: "goals assists", under: "player person playerstats scorer", numbers: between(0, 22)},
	{names: "appearances gamesplayed caps starts", under: "player person playerstats", numbers: between(8, 38)},
	{names: "yellowcards", numbers: between(0, 9)},
	{names: "redcards", numbers: between(0, 1)},
	{names: "minutesplayed playingtime", under: "player person playerstats", numbers: between(480, 3_200)},
	{names: "jerseynumber shirtnumber squadnumber kitnumber", numbers: between(1, 34), texts: oneOf("7|10|4|21")},
	{names: "dateofbirth birthdate", under: "player athlete", formats: "date date-time", texts: past{19, 34}},
	{names: "age", under: "player athlete", numbers: between(18, 35)},
	{names: "marketvalue marketvalueeur transferfee", numbers: between(400_000, 48_000_000)},
	{names: "fee", under: "playertransfer", numbers: between(200_000, 28_000_000)},
	{names: "agent agentname", under: "transfer player contract", texts: writes(someone)},
	{names: "contractuntil contractexpiry contractend contractenddate contractexpires", formats: "date date-time", texts: coming(1, 4)},
	{names: "injurydescription injury injuries injurytype", texts: oneOf("Strained hamstring|Knee injury|Sprained ankle|Muscle fatigue"), numbers: between(0, 2)},
	{names: "homescore awayscore homegoals awaygoals scorehome scoreaway", numbers: between(0, 4)},
	{names: "halftimescore score finalscore result fulltimescore", under: "fixture match game", texts: oneOf("1-0|0-0|2-1|1-1|0-2")},
	{names: "halftimescore finalscore fulltimescore", texts: oneOf("1-0|0-0|2-1|1-1|0-2")},
	{names: "broadcaster tvchannel", texts: oneOf("Sport One|Channel 5|Stream Arena")},
	{names: "description", under: "matchevent", texts: oneOf("Header from a corner.|Foul in midfield.|Shot from twenty metres.|Change at the break.")},
	{names: "played matchesplayed gamesplayed", under: "standing", numbers: between(20, 34)},
	{names: "won wins", under: "standing record team club", numbers: between(5, 12)},
	{names: "drawn draws", under: "standing record team club", numbers: between(3, 8)},
	{names: "lost losses", under: "standing record team club", numbers: between(3, 9)},
	{names: "goalsfor scored", numbers: between(24, 62)},
	{names: "goalsagainst conceded", numbers: between(18, 54)},
	{names: "form", under: "standing team club", texts: oneOf("WWDLW|DWWLL|LDWWW|WDDWL")},
	{names: "possession possessionhome possessionaway ballpossession", numbers: between(38, 62)},
	{names: "shots totalshots", under: matchWord, numbers: between(9, 22)},
	{names: "shotsontarget", numbers: between(2, 8)},
	{names: "corners offsides saves", under: matchWord, numbers: between(1, 9)},
	{names: "fouls", numbers: between(6, 18)},
	{names: "passes", under: matchWord, numbers: between(280, 640)},
	{names: "passaccuracy accuracy", under: matchWord, numbers: scaled(680, 915, 10)},
	{names: "expectedgoals xg", numbers: scaled(3, 29, 10)},
	{names: "headline title", under: "newsitem news sportnews newsarticle pressarticle", texts: oneOf("Late goal decides the derby|Rovers sign young midfielder|Cup draw brings old rivals together|" +
		"Record crowd on opening day|Captain extends contract|New coach looks ahead|Women's team stays unbeaten")},
	{names: "teaser lead standfirst subheadline", texts: oneOf("A look at the most important moments.|What it means for the coming weeks.|The full story, with pictures.")},
	{names: "body content text", under: "newsitem news newsarticle pressarticle", texts: oneOf("The decision came in the last minutes of an even match.|The contract runs for three years.|More than twenty thousand people came.")},
	{names: "tags", under: "newsitem news newsarticle", texts: oneOf("cup|transfer|women|youth|interview|derby")},
}
