// The realm of intents: a worker, whose own policy lets it load scripts of the service and reach nobody. It is given transactions, requests and agreed terms, and no
// credential: what the client asks of the service goes through the page, which adds the key.
import { type Brought, readExports } from './exports.ts'
import { inspectBy, protocolsOf, type Question } from './inspection.ts'
import { type Channel, connect } from './port.ts'
import { stakingCalls } from './staking.ts'

/** Parts of a worker's global that are used; its scripts define `svcIntent`. */
interface Global extends Channel {
  importScripts(url: string): void
  svcIntent?: unknown
}

const realm = self as unknown as Global
const scripts: Brought[] = []

const port = connect(realm, {
  ready: () => true,
  load(url) {
    realm.svcIntent = undefined
    realm.importScripts(String(url))
    const brought = readExports(realm.svcIntent)
    scripts.push(brought)
    return protocolsOf(brought)
  },
  inspect: (question) => inspectBy(scripts, question as Question),
  ...stakingCalls(
    (path) => scripts.flatMap(({ intents }) => intents).find(({ intent }) => intent.path === path)?.intent,
    (name, argument) => port.call(name, argument),
  ),
})
