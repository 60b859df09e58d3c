// Loads one module of the project with one change in it, which SVC_MUTANT holds: the files of the working tree stay as they are. It is imported by
// NODE_OPTIONS, so that the processes and threads that a test starts have the change as well.
import { registerHooks } from 'node:module'

const { url: changed, start, end, now } = JSON.parse(process.env.SVC_MUTANT)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (url !== changed) return loaded
    const text = loaded.source.toString()
    return { ...loaded, source: `${text.slice(0, start)}${now}${text.slice(end)}` }
  },
})
