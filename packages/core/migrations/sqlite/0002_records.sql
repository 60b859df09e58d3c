CREATE TABLE `svc_records` (
	`place` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`place`, `key`)
);
