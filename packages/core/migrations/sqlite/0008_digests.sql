ALTER TABLE `svc_watches` ADD `digest` text;--> statement-breakpoint
ALTER TABLE `svc_watches` ADD `compare_at` integer;--> statement-breakpoint
CREATE INDEX `svc_watches_compare` ON `svc_watches` (`protocol`,`network`,`compare_at`) WHERE "svc_watches"."compare_at" is not null;