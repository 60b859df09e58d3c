CREATE TABLE `svc_pages` (
	`book` integer NOT NULL,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	`body` blob NOT NULL,
	PRIMARY KEY(`book`, `first_line`)
);
--> statement-breakpoint
CREATE INDEX `svc_lines_mark` ON `svc_lines` (`mark`);