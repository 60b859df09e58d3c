CREATE TABLE "svc_announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"network" text NOT NULL,
	"wallet" text NOT NULL,
	"aspect" text NOT NULL,
	"holder" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "svc_own_addresses" (
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "svc_own_addresses_account_protocol_network_address_pk" PRIMARY KEY("account","protocol","network","address")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "svc_announcements_once" ON "svc_announcements" USING btree ("account","protocol","network","wallet","aspect");--> statement-breakpoint
CREATE INDEX "svc_announcements_list" ON "svc_announcements" USING btree ("account","id");--> statement-breakpoint
CREATE INDEX "svc_announcements_ended" ON "svc_announcements" USING btree ("until");