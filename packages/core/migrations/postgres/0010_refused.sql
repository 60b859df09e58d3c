ALTER TABLE "svc_audit" ADD COLUMN "asked" jsonb;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "path" text;