// `pnpm bench`: what the service itself costs. Figures depend on the machine; ratios less so.
import { availableParallelism, cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchCrafts } from './crafts.ts'
import { benchFlood } from './flood.ts'
import { benchKeys } from './keys.ts'
import { benchKills } from './kills.ts'
import { benchLoad } from './load.ts'
import { benchStart } from './start.ts'
import { benchWatch } from './watch.ts'

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const [name, bench] of Object.entries({
  crafts: benchCrafts,
  audit: benchAudit,
  keys: benchKeys,
  load: benchLoad,
  flood: benchFlood,
  start: benchStart,
  kills: benchKills,
  watch: benchWatch,
})) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue
  console.error(`… ${name}`)
  console.log(await bench())
}
