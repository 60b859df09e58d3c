CREATE TABLE `svc_announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`network` text NOT NULL,
	`wallet` text NOT NULL,
	`aspect` text NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_announcements_once` ON `svc_announcements` (`account`,`protocol`,`network`,`wallet`,`aspect`);--> statement-breakpoint
CREATE INDEX `svc_announcements_list` ON `svc_announcements` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `svc_announcements_ended` ON `svc_announcements` (`until`);--> statement-breakpoint
CREATE TABLE `svc_own_addresses` (
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`network` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account`, `protocol`, `network`, `address`)
);
