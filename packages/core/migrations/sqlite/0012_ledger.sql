CREATE TABLE `svc_books` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`network` text NOT NULL,
	`wallet` text NOT NULL,
	`opened_at` integer NOT NULL,
	`keys` text NOT NULL,
	`lines` integer NOT NULL,
	`open_from` integer,
	`open_since` integer,
	`next_at` integer,
	`sweep_at` integer,
	`failures` integer NOT NULL,
	`lease_until` integer,
	`fence` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_books_once` ON `svc_books` (`account`,`protocol`,`network`,`wallet`);--> statement-breakpoint
CREATE INDEX `svc_books_due` ON `svc_books` (`protocol`,`network`,`next_at`) WHERE "svc_books"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `svc_books_sweep` ON `svc_books` (`protocol`,`network`,`sweep_at`) WHERE "svc_books"."sweep_at" is not null;--> statement-breakpoint
CREATE TABLE `svc_entries` (
	`book` integer NOT NULL,
	`line` integer NOT NULL,
	`n` integer NOT NULL,
	`kind` text NOT NULL,
	`asset` text NOT NULL,
	`amount` text NOT NULL,
	`from_place` text NOT NULL,
	`to_place` text NOT NULL,
	`height` integer,
	`at` integer,
	`tx` text,
	`log_index` integer,
	`reason` text,
	`corrects` text,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`book`, `line`, `n`)
);
--> statement-breakpoint
CREATE TABLE `svc_lines` (
	`book` integer NOT NULL,
	`n` integer NOT NULL,
	`mark` integer NOT NULL,
	`at` integer NOT NULL,
	`closing` blob NOT NULL,
	`rewards` blob,
	`opening` integer,
	`flags` integer NOT NULL,
	`reasons` text,
	`source` integer NOT NULL,
	`keep` text,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`book`, `n`)
);
--> statement-breakpoint
CREATE TABLE `svc_marks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` text NOT NULL,
	`height` integer,
	`hash` text,
	`at` integer NOT NULL,
	`epoch` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_marks_once` ON `svc_marks` (`network`,`height`,`hash`,`at`);