ALTER TABLE `svc_audit` ADD `asked` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `path` text;