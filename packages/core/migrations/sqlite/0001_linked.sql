ALTER TABLE `svc_audit` ADD `rev` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `address` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `count` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `target` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `changes` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `unsigned_hash` text;--> statement-breakpoint
CREATE INDEX `svc_audit_target` ON `svc_audit` (`target`) WHERE "svc_audit"."target" is not null;--> statement-breakpoint
CREATE INDEX `svc_audit_unsigned` ON `svc_audit` (`unsigned_hash`) WHERE "svc_audit"."unsigned_hash" is not null;--> statement-breakpoint
CREATE INDEX `svc_audit_tx` ON `svc_audit` (`tx_hash`) WHERE "svc_audit"."tx_hash" is not null;--> statement-breakpoint
ALTER TABLE `svc_credentials` ADD `pepper` text;