CREATE TABLE "svc_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"webhook" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"owner" text,
	"lease_until" timestamp (3) with time zone,
	"fence" integer NOT NULL,
	"last_at" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"latency_ms" integer,
	"answer" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "svc_deliveries_state" CHECK ("svc_deliveries"."state" in ('pending', 'delivered', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "svc_event_heads" (
	"account" text PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "svc_events" (
	"id" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"transition" text NOT NULL,
	"sequence" bigint NOT NULL,
	"protocol" text,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "svc_leases" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"fence" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "svc_webhooks" (
	"ulid" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text,
	"protocols" text,
	"rewards_threshold" text,
	"status" text NOT NULL,
	"reason" text,
	"failing_since" timestamp (3) with time zone,
	"paused_until" timestamp (3) with time zone,
	"secret_version" integer NOT NULL,
	"secret_until" timestamp (3) with time zone,
	"pepper" text NOT NULL,
	"former_pepper" text,
	"missed" integer DEFAULT 0 NOT NULL,
	"missed_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "svc_webhooks_status" CHECK ("svc_webhooks"."status" in ('enabled', 'failing', 'disabled'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "svc_deliveries_once" ON "svc_deliveries" USING btree ("event","webhook");--> statement-breakpoint
CREATE INDEX "svc_deliveries_list" ON "svc_deliveries" USING btree ("webhook","id");--> statement-breakpoint
CREATE INDEX "svc_deliveries_due" ON "svc_deliveries" USING btree ("next_at") WHERE "svc_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "svc_deliveries_queue" ON "svc_deliveries" USING btree ("webhook","next_at") WHERE "svc_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "svc_deliveries_leased" ON "svc_deliveries" USING btree ("webhook","lease_until") WHERE "svc_deliveries"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "svc_deliveries_ended" ON "svc_deliveries" USING btree ("ended_at") WHERE "svc_deliveries"."ended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "svc_events_once" ON "svc_events" USING btree ("account","type","subject","transition");--> statement-breakpoint
CREATE UNIQUE INDEX "svc_events_sequence" ON "svc_events" USING btree ("account","sequence");--> statement-breakpoint
CREATE INDEX "svc_events_type" ON "svc_events" USING btree ("account","type","sequence");--> statement-breakpoint
CREATE INDEX "svc_events_subject" ON "svc_events" USING btree ("account","subject","sequence");--> statement-breakpoint
CREATE INDEX "svc_events_created" ON "svc_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "svc_webhooks_account" ON "svc_webhooks" USING btree ("account","ulid");