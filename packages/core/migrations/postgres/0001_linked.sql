ALTER TABLE "svc_audit" ADD COLUMN "rev" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "target" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "changes" jsonb;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "unsigned_hash" text;--> statement-breakpoint
ALTER TABLE "svc_credentials" ADD COLUMN "pepper" text;--> statement-breakpoint
CREATE INDEX "svc_audit_target" ON "svc_audit" USING btree ("target") WHERE "svc_audit"."target" is not null;--> statement-breakpoint
CREATE INDEX "svc_audit_unsigned" ON "svc_audit" USING btree ("unsigned_hash") WHERE "svc_audit"."unsigned_hash" is not null;--> statement-breakpoint
CREATE INDEX "svc_audit_tx" ON "svc_audit" USING btree ("tx_hash") WHERE "svc_audit"."tx_hash" is not null;