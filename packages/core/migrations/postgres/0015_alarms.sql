ALTER TABLE "svc_events" ADD COLUMN "severity" text;--> statement-breakpoint
ALTER TABLE "svc_events" ADD COLUMN "dismissed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "svc_events_severity" ON "svc_events" USING btree ("account","severity","sequence") WHERE "svc_events"."severity" is not null;--> statement-breakpoint
CREATE INDEX "svc_events_alarms" ON "svc_events" USING btree ("account","severity","id") WHERE "svc_events"."severity" is not null and "svc_events"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "svc_events_alarms_of_all" ON "svc_events" USING btree ("severity","id") WHERE "svc_events"."severity" is not null and "svc_events"."dismissed_at" is null;