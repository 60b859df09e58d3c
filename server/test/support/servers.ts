import { randomUUID } from 'node:crypto'
import pg from 'pg'

/**
 * A part of its own of each server that DATABASE_URL and REDIS_URL name, for the process that asks: other tests have sandboxes too, whose
 * chains have the same names and other contents, and their calls would be counted here.
 */
export async function ownServers(): Promise<{ release(): Promise<void> }> {
  const { DATABASE_URL, REDIS_URL } = process.env
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`
  if (REDIS_URL) {
    const url = new URL(REDIS_URL)
    url.searchParams.set('keyPrefix', `${name}:`)
    process.env.REDIS_URL = url.href
  }
  if (!DATABASE_URL) return { release: async () => undefined }
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(`create schema ${name}`)
  const url = new URL(DATABASE_URL)
  url.searchParams.set('options', `-c search_path=${name}`)
  process.env.DATABASE_URL = url.href.replaceAll('+', '%20')
  return {
    async release() {
      await client.query(`set client_min_messages = warning; drop schema ${name} cascade`)
      await client.end()
    },
  }
}
