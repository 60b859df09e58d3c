ALTER TABLE "svc_transactions" ADD COLUMN "signed" text;--> statement-breakpoint
ALTER TABLE "svc_transactions" ADD COLUMN "resends" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "svc_transactions" ADD COLUMN "resent_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "svc_transactions_signed" ON "svc_transactions" USING btree ("first_seen") WHERE "svc_transactions"."signed" is not null;--> statement-breakpoint
CREATE INDEX "svc_transactions_wallet" ON "svc_transactions" USING btree ("network","wallet");