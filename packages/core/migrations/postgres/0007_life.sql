CREATE TABLE "svc_conditions" (
	"place" text NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"commission" double precision,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"changes" integer NOT NULL,
	CONSTRAINT "svc_conditions_place_kind_id_pk" PRIMARY KEY("place","kind","id")
);
--> statement-breakpoint
CREATE TABLE "svc_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"network" text NOT NULL,
	"tx_hash" text NOT NULL,
	"unsigned_hash" text,
	"wallet" text,
	"origin" text NOT NULL,
	"audit" text NOT NULL,
	"identity" text,
	"request_id" text NOT NULL,
	"sentence" text,
	"promised" text,
	"bounds" text,
	"keep" text,
	"look" text,
	"status" text NOT NULL,
	"finality" text NOT NULL,
	"certainty" text NOT NULL,
	"history" text NOT NULL,
	"doubted_at" timestamp (3) with time zone,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"looks" integer NOT NULL,
	"failures" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"fence" integer NOT NULL,
	CONSTRAINT "svc_transactions_status" CHECK ("svc_transactions"."status" in ('unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "svc_watches" (
	"id" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"network" text NOT NULL,
	"wallet" text NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"position" text,
	"read_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"sweep_at" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"fence" integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "svc_transactions_once" ON "svc_transactions" USING btree ("account","protocol","network","tx_hash");--> statement-breakpoint
CREATE INDEX "svc_transactions_list" ON "svc_transactions" USING btree ("account","id");--> statement-breakpoint
CREATE INDEX "svc_transactions_hash" ON "svc_transactions" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX "svc_transactions_due" ON "svc_transactions" USING btree ("protocol","network","next_at") WHERE "svc_transactions"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "svc_transactions_open" ON "svc_transactions" USING btree ("account","origin") WHERE "svc_transactions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "svc_transactions_ended" ON "svc_transactions" USING btree ("ended_at") WHERE "svc_transactions"."ended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "svc_watches_once" ON "svc_watches" USING btree ("account","protocol","network","wallet");--> statement-breakpoint
CREATE INDEX "svc_watches_list" ON "svc_watches" USING btree ("account","id");--> statement-breakpoint
CREATE INDEX "svc_watches_due" ON "svc_watches" USING btree ("protocol","network","due_at") WHERE "svc_watches"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "svc_watches_sweep" ON "svc_watches" USING btree ("protocol","network","sweep_at") WHERE "svc_watches"."sweep_at" is not null;