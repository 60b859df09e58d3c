import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/page.css'
import './style/activity.css'
import './style/keys.css'
import './style/overview.css'
import './style/positions.css'
import './style/protocols.css'
import './style/start.css'
import './style/statements.css'
import './style/transactions.css'
import './style/webhooks.css'
import { App } from './app.tsx'
import { followHistory } from './router/router.ts'
import { listenForShortcuts } from './shell/keys.ts'
import { watchUpgrade } from './shell/upgrade.tsx'
import { watchAlarms } from './state/alarms.ts'
import { watchIdle } from './state/idle.ts'
import { watchOpenAlarms } from './state/open-alarms.ts'
import { applyPreferences } from './state/preferences.ts'
import { restore } from './state/session.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')
applyPreferences()
followHistory()
listenForShortcuts()
watchIdle()
watchAlarms()
watchOpenAlarms()
watchUpgrade()
render(<App />, root)
void restore()
