CREATE TABLE "svc_books" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "svc_books_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"network" text NOT NULL,
	"wallet" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"keys" text NOT NULL,
	"lines" integer NOT NULL,
	"open_from" integer,
	"open_since" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"sweep_at" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"fence" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "svc_entries" (
	"book" integer NOT NULL,
	"line" integer NOT NULL,
	"n" integer NOT NULL,
	"kind" text NOT NULL,
	"asset" text NOT NULL,
	"amount" text NOT NULL,
	"from_place" text NOT NULL,
	"to_place" text NOT NULL,
	"height" bigint,
	"at" timestamp (3) with time zone,
	"tx" text,
	"log_index" integer,
	"reason" text,
	"corrects" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "svc_entries_pk" PRIMARY KEY("book","line","n")
);
--> statement-breakpoint
CREATE TABLE "svc_lines" (
	"book" integer NOT NULL,
	"n" integer NOT NULL,
	"mark" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"closing" "bytea" NOT NULL,
	"rewards" "bytea",
	"opening" integer,
	"flags" smallint NOT NULL,
	"reasons" text,
	"source" smallint NOT NULL,
	"keep" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "svc_lines_pk" PRIMARY KEY("book","n")
);
--> statement-breakpoint
CREATE TABLE "svc_marks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "svc_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"network" text NOT NULL,
	"height" bigint,
	"hash" text,
	"at" timestamp (3) with time zone NOT NULL,
	"epoch" integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX "svc_books_once" ON "svc_books" USING btree ("account","protocol","network","wallet");--> statement-breakpoint
CREATE INDEX "svc_books_due" ON "svc_books" USING btree ("protocol","network","next_at") WHERE "svc_books"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "svc_books_sweep" ON "svc_books" USING btree ("protocol","network","sweep_at") WHERE "svc_books"."sweep_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "svc_marks_once" ON "svc_marks" USING btree ("network","height","hash","at");