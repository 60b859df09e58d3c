import type { Command } from 'commander'
import { credentialCommand } from './credentials.ts'

/** `svc tokens`: management tokens, which are made nowhere else. */
export function tokensCommand(): Command {
  return credentialCommand({
    kind: 'token',
    command: 'tokens',
    noun: 'management token',
    one: 'a management token',
    about:
      'A management token lets an account look after its own API keys under /api/v1/apikeys: it is sent in the header token, or as Authorization: Bearer. It is made here and nowhere else.',
  })
}
