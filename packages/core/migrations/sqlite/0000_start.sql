CREATE TABLE `svc_audit` (
	`id` text PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`account` text NOT NULL,
	`key` text NOT NULL,
	`identity` text,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`network` text,
	`status` integer NOT NULL,
	`duration_ms` real NOT NULL,
	`request_id` text NOT NULL,
	`action` text,
	`effects` text,
	`tx_hash` text,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `svc_audit_time` ON `svc_audit` (`time`,`id`);--> statement-breakpoint
CREATE INDEX `svc_audit_account` ON `svc_audit` (`account`,`time`,`id`);--> statement-breakpoint
CREATE INDEX `svc_audit_key` ON `svc_audit` (`key`,`time`,`id`);--> statement-breakpoint
CREATE TABLE `svc_credentials` (
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
	CONSTRAINT "svc_credentials_kind" CHECK("svc_credentials"."kind" in ('key', 'token'))
);
--> statement-breakpoint
CREATE INDEX `svc_credentials_account` ON `svc_credentials` (`account`,`kind`,`ulid`);