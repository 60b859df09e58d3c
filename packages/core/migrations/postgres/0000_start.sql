CREATE TABLE "svc_audit" (
	"id" text PRIMARY KEY NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"account" text NOT NULL,
	"key" text NOT NULL,
	"identity" text,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"network" text,
	"status" integer NOT NULL,
	"duration_ms" double precision NOT NULL,
	"request_id" text NOT NULL,
	"action" text,
	"effects" jsonb,
	"tx_hash" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "svc_credentials" (
	"ulid" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"active" boolean NOT NULL,
	"expiration_date" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "svc_credentials_kind" CHECK ("svc_credentials"."kind" in ('key', 'token'))
);
--> statement-breakpoint
CREATE INDEX "svc_audit_time" ON "svc_audit" USING btree ("time","id");--> statement-breakpoint
CREATE INDEX "svc_audit_account" ON "svc_audit" USING btree ("account","time","id");--> statement-breakpoint
CREATE INDEX "svc_audit_key" ON "svc_audit" USING btree ("key","time","id");--> statement-breakpoint
CREATE INDEX "svc_credentials_account" ON "svc_credentials" USING btree ("account","kind","ulid");