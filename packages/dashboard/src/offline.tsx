import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/page.css'
import { Inspector } from './pages/inspector/inspector.tsx'
import { Mark } from './parts/layout/icon.tsx'
import { PageHead } from './parts/layout/page-head.tsx'
import { inspectorateWithin } from './realm/page-realm.ts'

/** Exports of the intents that the service has written into the file, before this script. */
const { svcIntents = [] } = self as { readonly svcIntents?: readonly unknown[] }
const inspectorate = inspectorateWithin(svcIntents)

/** The Inspector as a file of its own, which asks nobody and loads nothing. */
function Offline() {
  return (
    <main class="page">
      <div class="brand">
        <Mark />
        Staking service
      </div>
      <PageHead title="Inspector" meta="One file, for a machine that is offline. It asks nobody." />
      <Inspector open={async () => inspectorate} />
    </main>
  )
}

document.body.className = 'offline'
const root = document.getElementById('app')
if (!root) throw new Error('the file has no element #app')
render(<Offline />, root)
