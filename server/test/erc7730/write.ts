import { writeFile } from 'node:fs/promises'
import { descriptorOf } from './descriptor.ts'
import { fileOf } from './file.ts'
import { sources } from './sources.ts'

// Writes the descriptors of the EVM protocols, from their intents. `pnpm descriptors` after a change that makes `server/test/erc7730.test.ts` say so.

for (const source of sources) await writeFile(fileOf(source.label), `${JSON.stringify(descriptorOf(source), null, 2)}\n`)
