/** Writes one line of a level: members for programs, and a sentence. */
interface Write {
  (members: object, sentence?: string): void
  (sentence: string): void
}

/** Log that a host hands to kits and plugins: Fastify's, pino's and others fit. */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}
