BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0014');
CREATE TABLE counts (
	game VARCHAR NOT NULL, 
	seats INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	bot BOOLEAN NOT NULL, 
	games INTEGER NOT NULL, 
	won DOUBLE NOT NULL, 
	PRIMARY KEY (game, seats, kind, "key", bot)
);
CREATE TABLE device_links (
	token VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	until DOUBLE NOT NULL, 
	PRIMARY KEY (token), 
	FOREIGN KEY(number) REFERENCES players (number)
);
CREATE TABLE devices (
	id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	agent VARCHAR NOT NULL, 
	made DOUBLE NOT NULL, 
	seen DOUBLE NOT NULL, 
	ended DOUBLE, address VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(number) REFERENCES players (number)
);
INSERT INTO "devices" VALUES('QWwXbKYUcxA1rqmj.6KBjOL6w',1,'python-httpx/0.28.1',1.79575419721972203259e+09,1.79575419721972203259e+09,NULL,'ef93560030f8eaaa');
INSERT INTO "devices" VALUES('62zWgAJUMD8W-bav.KkMwta3y',2,'python-httpx/0.28.1',1.79575419734135127061e+09,1.79575419734135127061e+09,NULL,'ef93560030f8eaaa');
CREATE TABLE "entries" (
	"table" VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY ("table", seq)
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES('4CaRIZTtR0q3',1,-1,'made','{"game":"robin","version":1,"options":{"victories":3,"active":12,"modifiers":true,"dealt":false,"ante":false,"cards":"","collection-0":[],"collection-1":[]},"seed":"33c54fc247ee47a6d5bd257c4f0f17e69fa972ec0a03ee6fcd0fb0e4a28a40c1","clock":"none","speed":"usual","private":false,"seats":[{"player":2},{}],"commitment":"6dc7cd1bb1cb9442f9381a97c7a9fdafd2d00b2e69aa44492172105a4646668f"}',1.79575419778182625773e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',1,-1,'made','{"game":"kings-court","version":1,"options":{"garnets":[0,0]},"seed":"bbf6c0e00928fa3ac3bf52ce0bc041bc3dcb828251c415581f7e14d223242b60","clock":"none","speed":"usual","private":false,"seats":[{"player":1},{}],"commitment":"5f8697766898ac1ba222ead90a14fac83208fbf109f7acd62e45015e3dbc2275"}',1.7957541976274096966e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',2,1,'sat','{"player":2}',1.79575419764704608915e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',3,-1,'begun','',1.79575419764705657959e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',4,0,'moved','put +5 on Artois',1.79575419766622090336e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',5,1,'moved','put +2 on Artois',1.79575419767861652379e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',6,0,'moved','put +3 on Bellerophon',1.79575419769216227533e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',7,1,'moved','put +5 on Bellerophon',1.79575419770632195475e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',8,1,'resigned','',1.7957541977131912708e+09);
INSERT INTO "entries" VALUES('K8L8mAx_mGFx',9,-1,'over','{"format":"quintain-record","game":"kings-court","version":1,"seats":2,"names":["seat 0","seat 1"],"bots":[null,null],"options":{"garnets":[0,0]},"seed":"bbf6c0e00928fa3ac3bf52ce0bc041bc3dcb828251c415581f7e14d223242b60","moves":[{"seat":0,"kind":"move","text":"put +5 on Artois"},{"seat":1,"kind":"move","text":"put +2 on Artois"},{"seat":0,"kind":"move","text":"put +3 on Bellerophon"},{"seat":1,"kind":"move","text":"put +5 on Bellerophon"},{"seat":1,"kind":"resign"}],"commitment":"5f8697766898ac1ba222ead90a14fac83208fbf109f7acd62e45015e3dbc2275","log":["The lot falls: seat 1 goes first.","seat 0 puts +5 on Artois.","seat 1 puts +2 on Artois.","seat 0 puts +3 on Bellerophon.","seat 1 puts +5 on Bellerophon.","seat 1 resigns."],"result":{"scores":null,"ranks":[1,2],"reason":"seat 0 is the last one left"},"sha256":"e9c19830455a41b73cebb8ce9c7659c636db3c6cfd77f1bf997b128246be1130"}',1.79575419771359634404e+09);
INSERT INTO "entries" VALUES('KF6lkylRSAbM',1,-1,'made','{"game":"rune-war","version":1,"options":{"runes":true},"seed":"7c7f0c2df503627f5c9fa8402eb786e41133c44dc74210f65e1483000b71a1cf","clock":"none","speed":"usual","private":true,"seats":[{"player":1},{"bot":"page"}],"lesson":0,"commitment":"4fc7c1b2ad006bb035ced3514bd6b54170eddb08b96940930b143db807602a3c"}',1.79575419780154490467e+09);
INSERT INTO "entries" VALUES('KF6lkylRSAbM',2,-1,'begun','',1.79575419780154490467e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',1,-1,'made','{"game":"kings-court","version":1,"options":{"garnets":[0,0]},"seed":"d263b17f8347ff8f481fbbf7f46623a97b6c0c3b2b3fce6adff34f4572c03b66","clock":"none","speed":"usual","private":false,"seats":[{"player":1},{}],"commitment":"bcc0cae3a25a4d9b81630ca6f28873379cbbe72e5f295eee3c52f2c470988325"}',1.79575419735077404983e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',2,1,'sat','{"player":2}',1.79575419737674283988e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',3,-1,'begun','',1.79575419737675380711e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',4,0,'moved','put 0 on Artois',1.79575419741332840918e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',5,1,'moved','put +3 on Artois',1.79575419743720531462e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',6,0,'moved','put +5 on Bellerophon',1.79575419745450520518e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',7,1,'moved','put 0 on Bellerophon',1.79575419746831822396e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',8,0,'moved','put +2 on Castellia',1.79575419748150157932e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',9,1,'moved','put +5 on Castellia',1.79575419749465513231e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',10,0,'moved','put +3 on De Bourgogne',1.79575419750751137737e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',11,1,'moved','put +2 on De Bourgogne',1.79575419751871037483e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',12,0,'moved','put -2 on Ellicta',1.79575419753164649012e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',13,1,'moved','put -2 on Ellicta',1.79575419754690480227e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',14,0,'moved','put +1 on Febrois',1.79575419756472373002e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',15,1,'moved','put +1 on Febrois',1.79575419757833147052e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',16,0,'moved','play Febrois 6',1795754197.59066);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',17,0,'moved','give De Bourgogne 2',1.79575419760719752308e+09);
INSERT INTO "entries" VALUES('ONhnDimmaW2f',18,1,'moved','play Bellerophon 3',1.79575419761912608148e+09);
CREATE TABLE health (
	id INTEGER NOT NULL, 
	written DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE house (
	id INTEGER NOT NULL, 
	generation INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "house" VALUES(1,0);
CREATE TABLE invitations (
	"table" VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	"by" INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY ("table", number), 
	FOREIGN KEY("table") REFERENCES tables (id), 
	FOREIGN KEY(number) REFERENCES players (number), 
	FOREIGN KEY("by") REFERENCES players (number)
);
CREATE TABLE keys (
	number INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	secret VARCHAR NOT NULL, 
	public VARCHAR, 
	made DOUBLE NOT NULL, 
	ended DOUBLE, 
	PRIMARY KEY (number)
);
INSERT INTO "keys" VALUES(1,'cookies','4ef457003b7ff571acc81d535fa8a46c5a7ce781d4d47c66602ad89b03443bd8',NULL,1.79575419668520545957e+09,NULL);
INSERT INTO "keys" VALUES(2,'records','4dda38ffc245edf272cb03208b374c449f37fb8ffb3f167c558c5e5a740af8a9','62658c15bc0b81fe4c1ae28d4cc254fee8907cac38f3587ec64ae4811874b459',1.79575419668635463711e+09,NULL);
CREATE TABLE leases (
	"table" VARCHAR NOT NULL, 
	process VARCHAR NOT NULL, 
	PRIMARY KEY ("table"), 
	FOREIGN KEY(process) REFERENCES processes (id) ON DELETE CASCADE
);
CREATE TABLE played (
	"table" VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	who VARCHAR NOT NULL, 
	bot BOOLEAN NOT NULL, 
	game VARCHAR NOT NULL, 
	ended DOUBLE NOT NULL, 
	result VARCHAR NOT NULL, 
	rank INTEGER NOT NULL, 
	score INTEGER, 
	moves INTEGER NOT NULL, 
	rated BOOLEAN NOT NULL, 
	private BOOLEAN NOT NULL, alike BOOLEAN DEFAULT 0 NOT NULL, uncounted BOOLEAN DEFAULT 0 NOT NULL, change INTEGER, 
	PRIMARY KEY ("table", seat), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "played" VALUES('K8L8mAx_mGFx',0,'1',0,'kings-court',1.79575419771359634404e+09,'won',1,NULL,4,0,0,0,0,NULL);
INSERT INTO "played" VALUES('K8L8mAx_mGFx',1,'2',0,'kings-court',1.79575419771359634404e+09,'left',2,NULL,4,0,0,0,0,NULL);
CREATE TABLE "players" (
	number INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	name VARCHAR, 
	made DOUBLE NOT NULL, 
	named DOUBLE NOT NULL, session INTEGER DEFAULT '0' NOT NULL, recovery VARCHAR, recovery_shown DOUBLE, gone DOUBLE, muted DOUBLE, muted_at DOUBLE, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "players" VALUES(1,'hxQ1QgyvaGHCQn4D','Ann',1.79575419720376825327e+09,1.79575419720376896863e+09,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "players" VALUES(2,'wT2WKlZSUItJ2MYw','Bo',1.79575419733475780481e+09,1.79575419733475852008e+09,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE presence (
	"table" VARCHAR NOT NULL, 
	process VARCHAR NOT NULL, 
	player VARCHAR NOT NULL, 
	PRIMARY KEY ("table", process, player), 
	FOREIGN KEY(process) REFERENCES processes (id) ON DELETE CASCADE
);
CREATE TABLE processes (
	id VARCHAR NOT NULL, 
	until DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE ratings (
	number INTEGER NOT NULL, 
	game VARCHAR NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	games INTEGER NOT NULL, 
	PRIMARY KEY (number, game), 
	FOREIGN KEY(number) REFERENCES players (number)
);
CREATE TABLE "seats" (
	"table" VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	number INTEGER, 
	bot VARCHAR, 
	stand_in BOOLEAN NOT NULL, 
	moved INTEGER NOT NULL, 
	since DOUBLE NOT NULL, stranger VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY ("table", seat), 
	FOREIGN KEY("table") REFERENCES "tables" (id), 
	FOREIGN KEY(number) REFERENCES "players" (number)
);
INSERT INTO "seats" VALUES('ONhnDimmaW2f',0,1,NULL,0,0,1.79575419735077404983e+09,'');
INSERT INTO "seats" VALUES('ONhnDimmaW2f',1,2,NULL,0,0,1.79575419737674283988e+09,'');
INSERT INTO "seats" VALUES('K8L8mAx_mGFx',0,1,NULL,0,0,1.7957541976274096966e+09,'');
INSERT INTO "seats" VALUES('K8L8mAx_mGFx',1,2,NULL,0,0,1.79575419764704608915e+09,'');
INSERT INTO "seats" VALUES('4CaRIZTtR0q3',0,2,NULL,0,0,1.79575419778182625773e+09,'');
INSERT INTO "seats" VALUES('4CaRIZTtR0q3',1,NULL,NULL,0,0,1.79575419778182625773e+09,'');
INSERT INTO "seats" VALUES('KF6lkylRSAbM',0,1,NULL,0,0,1.79575419780154490467e+09,'');
INSERT INTO "seats" VALUES('KF6lkylRSAbM',1,NULL,'page',0,0,1.79575419780154490467e+09,'');
CREATE TABLE "tables" (
	id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	options JSON NOT NULL, 
	clock VARCHAR NOT NULL, 
	speed VARCHAR NOT NULL, 
	private BOOLEAN NOT NULL, 
	status VARCHAR NOT NULL, 
	made DOUBLE NOT NULL, 
	begun DOUBLE, 
	rematch VARCHAR, 
	lesson INTEGER, rated BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('ONhnDimmaW2f','kings-court',1,'{"garnets": [0, 0]}','none','usual',0,'playing',1.79575419735077404983e+09,1.79575419737675380711e+09,NULL,NULL,0);
INSERT INTO "tables" VALUES('K8L8mAx_mGFx','kings-court',1,'{"garnets": [0, 0]}','none','usual',0,'over',1.7957541976274096966e+09,1.79575419764705657959e+09,NULL,NULL,0);
INSERT INTO "tables" VALUES('4CaRIZTtR0q3','robin',1,'{"victories": 3, "active": 12, "modifiers": true, "dealt": false, "ante": false, "cards": "", "collection-0": [], "collection-1": []}','none','usual',0,'waiting',1.79575419778182625773e+09,NULL,NULL,NULL,0);
INSERT INTO "tables" VALUES('KF6lkylRSAbM','rune-war',1,'{"runes": true}','none','usual',1,'playing',1.79575419780154490467e+09,1.79575419780154490467e+09,NULL,0,0);
CREATE TABLE talk (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	"table" VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	seat INTEGER, 
	text VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	FOREIGN KEY(number) REFERENCES players (number)
);
INSERT INTO "talk" VALUES(1,'K8L8mAx_mGFx',1,0,'Well played',1.79575419775418162341e+09);
CREATE TABLE tallies (
	who VARCHAR NOT NULL, 
	opponent VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	bot BOOLEAN NOT NULL, 
	ahead INTEGER NOT NULL, 
	behind INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	PRIMARY KEY (who, opponent, game)
);
INSERT INTO "tallies" VALUES('1','2','kings-court',0,1,0,1);
INSERT INTO "tallies" VALUES('2','1','kings-court',0,0,1,1);
CREATE INDEX ix_tables_made ON tables (made);
CREATE INDEX ix_players_session ON players (session);
CREATE INDEX ix_leases_process ON leases (process);
CREATE INDEX ix_presence_process ON presence (process);
CREATE INDEX ix_played_game ON played (game, ended);
CREATE INDEX ix_devices_number ON devices (number);
CREATE INDEX ix_devices_ended ON devices (ended);
CREATE UNIQUE INDEX ix_players_recovery ON players (recovery);
CREATE INDEX ix_talk_table ON talk ("table", id);
CREATE INDEX ix_talk_number ON talk (number);
CREATE INDEX ix_ratings_game ON ratings (game, mu);
CREATE INDEX ix_devices_address ON devices (address);
CREATE INDEX ix_invitations_number ON invitations (number);
CREATE INDEX ix_seats_number ON seats (number, "table");
CREATE INDEX ix_played_who ON played (who, ended, "table", seat, result, rank, game, rated, private, uncounted);
CREATE INDEX ix_played_table ON played ("table", seat, who, bot, result, rank);
CREATE INDEX ix_tables_status ON tables (status, made);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('talk',1);
COMMIT;
