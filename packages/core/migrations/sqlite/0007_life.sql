CREATE TABLE `svc_conditions` (
	`place` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`commission` real,
	`taken_at` integer NOT NULL,
	`since` integer NOT NULL,
	`changes` integer NOT NULL,
	PRIMARY KEY(`place`, `kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `svc_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`network` text NOT NULL,
	`tx_hash` text NOT NULL,
	`unsigned_hash` text,
	`wallet` text,
	`origin` text NOT NULL,
	`audit` text NOT NULL,
	`identity` text,
	`request_id` text NOT NULL,
	`sentence` text,
	`promised` text,
	`bounds` text,
	`keep` text,
	`look` text,
	`status` text NOT NULL,
	`finality` text NOT NULL,
	`certainty` text NOT NULL,
	`history` text NOT NULL,
	`doubted_at` integer,
	`first_seen` integer NOT NULL,
	`accepted_at` integer,
	`checked_at` integer,
	`ended_at` integer,
	`next_at` integer,
	`looks` integer NOT NULL,
	`failures` integer NOT NULL,
	`lease_until` integer,
	`fence` integer NOT NULL,
	CONSTRAINT "svc_transactions_status" CHECK("svc_transactions"."status" in ('unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_transactions_once` ON `svc_transactions` (`account`,`protocol`,`network`,`tx_hash`);--> statement-breakpoint
CREATE INDEX `svc_transactions_list` ON `svc_transactions` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `svc_transactions_hash` ON `svc_transactions` (`tx_hash`);--> statement-breakpoint
CREATE INDEX `svc_transactions_due` ON `svc_transactions` (`protocol`,`network`,`next_at`) WHERE "svc_transactions"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `svc_transactions_open` ON `svc_transactions` (`account`,`origin`) WHERE "svc_transactions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `svc_transactions_ended` ON `svc_transactions` (`ended_at`) WHERE "svc_transactions"."ended_at" is not null;--> statement-breakpoint
CREATE TABLE `svc_watches` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`network` text NOT NULL,
	`wallet` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`position` text,
	`read_at` integer,
	`due_at` integer,
	`sweep_at` integer,
	`failures` integer NOT NULL,
	`lease_until` integer,
	`fence` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `svc_watches_once` ON `svc_watches` (`account`,`protocol`,`network`,`wallet`);--> statement-breakpoint
CREATE INDEX `svc_watches_list` ON `svc_watches` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `svc_watches_due` ON `svc_watches` (`protocol`,`network`,`due_at`) WHERE "svc_watches"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `svc_watches_sweep` ON `svc_watches` (`protocol`,`network`,`sweep_at`) WHERE "svc_watches"."sweep_at" is not null;