CREATE TABLE "svc_pages" (
	"book" integer NOT NULL,
	"first_line" integer NOT NULL,
	"last_line" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "svc_pages_pk" PRIMARY KEY("book","first_line")
);
--> statement-breakpoint
CREATE INDEX "svc_lines_mark" ON "svc_lines" USING btree ("mark");