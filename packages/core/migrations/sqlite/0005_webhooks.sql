CREATE TABLE `svc_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`webhook` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`owner` text,
	`lease_until` integer,
	`fence` integer NOT NULL,
	`last_at` integer,
	`last_status` integer,
	`last_error` text,
	`latency_ms` integer,
	`answer` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "svc_deliveries_state" CHECK("svc_deliveries"."state" in ('pending', 'delivered', 'dead'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_deliveries_once` ON `svc_deliveries` (`event`,`webhook`);--> statement-breakpoint
CREATE INDEX `svc_deliveries_list` ON `svc_deliveries` (`webhook`,`id`);--> statement-breakpoint
CREATE INDEX `svc_deliveries_due` ON `svc_deliveries` (`next_at`) WHERE "svc_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `svc_deliveries_queue` ON `svc_deliveries` (`webhook`,`next_at`) WHERE "svc_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `svc_deliveries_leased` ON `svc_deliveries` (`webhook`,`lease_until`) WHERE "svc_deliveries"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX `svc_deliveries_ended` ON `svc_deliveries` (`ended_at`) WHERE "svc_deliveries"."ended_at" is not null;--> statement-breakpoint
CREATE TABLE `svc_event_heads` (
	`account` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `svc_events` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`transition` text NOT NULL,
	`sequence` integer NOT NULL,
	`protocol` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_events_once` ON `svc_events` (`account`,`type`,`subject`,`transition`);--> statement-breakpoint
CREATE UNIQUE INDEX `svc_events_sequence` ON `svc_events` (`account`,`sequence`);--> statement-breakpoint
CREATE INDEX `svc_events_type` ON `svc_events` (`account`,`type`,`sequence`);--> statement-breakpoint
CREATE INDEX `svc_events_subject` ON `svc_events` (`account`,`subject`,`sequence`);--> statement-breakpoint
CREATE INDEX `svc_events_created` ON `svc_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `svc_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`until` integer NOT NULL,
	`fence` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `svc_webhooks` (
	`ulid` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text,
	`protocols` text,
	`rewards_threshold` text,
	`status` text NOT NULL,
	`reason` text,
	`failing_since` integer,
	`paused_until` integer,
	`secret_version` integer NOT NULL,
	`secret_until` integer,
	`pepper` text NOT NULL,
	`former_pepper` text,
	`missed` integer DEFAULT 0 NOT NULL,
	`missed_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "svc_webhooks_status" CHECK("svc_webhooks"."status" in ('enabled', 'failing', 'disabled'))
);
--> statement-breakpoint
CREATE INDEX `svc_webhooks_account` ON `svc_webhooks` (`account`,`ulid`);