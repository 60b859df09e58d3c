import { Refusal } from '../cli/refusal.ts'
import type { Question } from './prompt.ts'

/**
 * Checks the address of an endpoint, and returns it.
 *
 * @param option how it was given, for the sentence
 * @throws Refusal
 */
export function urlOf(text: string, option = text): string {
  // It may be filled in at the start: ${NAME}, ${file:/path}.
  if (/^\$\{[^}]+\}/.test(text)) return text
  if (!/^https?:\/\/[^/\s]/.test(text) || !URL.canParse(text))
    throw new Refusal(`${shown(option, text)} is no address of an endpoint; it has to be like https://rpc.example.org.`)
  return text
}

/** Splits several addresses of endpoints at blanks, and checks each. @throws Refusal */
export function urlsOf(text: string): string[] {
  const urls = text.split(/\s+/).filter((each) => each !== '')
  if (urls.length === 0) throw new Refusal('Name at least one endpoint, such as https://rpc.example.org.')
  return urls.map((each) => urlOf(each))
}

/** An address of the database or of Redis, and whether it is a secret; null for none. */
export interface StateAddress {
  readonly url: string
  readonly isSecret: boolean
}

/** Makes the question for the database. @param env its DATABASE_URL is offered where there is one */
export function databaseQuestion({ DATABASE_URL }: NodeJS.ProcessEnv): Question<StateAddress | null> {
  return {
    text: 'Database: embedded, or the address of PostgreSQL, which several replicas need',
    option: '--database <address>',
    fallback: DATABASE_URL ? reference('DATABASE_URL') : 'embedded',
    read(text) {
      if (text === 'embedded') {
        if (DATABASE_URL)
          throw new Refusal(`DATABASE_URL is set, and the service would use it: unset it, or answer ${reference('DATABASE_URL')}.`)
        return null
      }
      return readAddress(text, ['postgres:', 'postgresql:'], 'embedded, or like postgres://user:password@host:5432/svc')
    },
  }
}

/** Makes the question for Redis. @param env its REDIS_URL is offered where there is one */
export function redisQuestion({ REDIS_URL }: NodeJS.ProcessEnv): Question<StateAddress | null> {
  return {
    text: 'Redis, by which replicas share their limits: an address, or none',
    option: '--redis <address>',
    fallback: REDIS_URL ? reference('REDIS_URL') : 'none',
    read(text) {
      if (text === 'none') {
        if (REDIS_URL) throw new Refusal(`REDIS_URL is set, and the service would use it: unset it, or answer ${reference('REDIS_URL')}.`)
        return null
      }
      return readAddress(text, ['redis:', 'rediss:'], 'none, or like redis://host:6379')
    },
  }
}

function readAddress(text: string, schemes: readonly string[], form: string): StateAddress {
  if (/^\$\{[^}]+\}$/.test(text)) return { url: text, isSecret: false }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !schemes.includes(url.protocol) || url.hostname === '')
    throw new Refusal(
      `It has to be ${form}; a part of an address that is not of letters and digits, such as a password, is percent-encoded.`,
    )
  return { url: text, isSecret: url.password !== '' }
}

function reference(name: string): string {
  return `\${${name}}`
}

/** An address without what may be a credential in it. */
function shown(option: string, text: string): string {
  return option.replace(text, text.replace(/\/\/[^/@\s]*@/, '//…@'))
}
