PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_svc_credentials` (
	`ulid` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`account` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`active` integer NOT NULL,
	`expiration_date` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`pepper` text,
	CONSTRAINT "svc_credentials_kind" CHECK("__new_svc_credentials"."kind" in ('key', 'token', 'operator'))
);
--> statement-breakpoint
INSERT INTO `__new_svc_credentials`("ulid", "kind", "account", "name", "description", "hash", "prefix", "active", "expiration_date", "created_at", "last_used_at", "pepper") SELECT "ulid", "kind", "account", "name", "description", "hash", "prefix", "active", "expiration_date", "created_at", "last_used_at", "pepper" FROM `svc_credentials`;--> statement-breakpoint
DROP TABLE `svc_credentials`;--> statement-breakpoint
ALTER TABLE `__new_svc_credentials` RENAME TO `svc_credentials`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `svc_credentials_account` ON `svc_credentials` (`account`,`kind`,`ulid`);