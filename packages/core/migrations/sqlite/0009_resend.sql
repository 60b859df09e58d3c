ALTER TABLE `svc_transactions` ADD `signed` text;--> statement-breakpoint
ALTER TABLE `svc_transactions` ADD `resends` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `svc_transactions` ADD `resent_at` integer;--> statement-breakpoint
CREATE INDEX `svc_transactions_signed` ON `svc_transactions` (`first_seen`) WHERE "svc_transactions"."signed" is not null;--> statement-breakpoint
CREATE INDEX `svc_transactions_wallet` ON `svc_transactions` (`network`,`wallet`);