import type { Command } from 'commander'
import { credentialCommand } from './credentials.ts'

/** Makes `svc keys`: the commands of credentials, whose options stand in credentials.ts, for API keys. */
export function keysCommand(): Command {
  return credentialCommand({
    kind: 'key',
    command: 'keys',
    noun: 'API key',
    one: 'an API key',
    about: 'An API key lets a program of one account use the API: it is sent in the header X-API-KEY.',
  })
}
