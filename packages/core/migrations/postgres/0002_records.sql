CREATE TABLE "svc_records" (
	"place" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "svc_records_place_key_pk" PRIMARY KEY("place","key")
);
