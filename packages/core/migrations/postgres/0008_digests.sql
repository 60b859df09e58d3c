ALTER TABLE "svc_watches" ADD COLUMN "digest" text;--> statement-breakpoint
ALTER TABLE "svc_watches" ADD COLUMN "compare_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "svc_watches_compare" ON "svc_watches" USING btree ("protocol","network","compare_at") WHERE "svc_watches"."compare_at" is not null;