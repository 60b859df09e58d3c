// A process that cannot stop in time: what it has under way never ends.
import { listenForSignals } from '../src/start/stop.ts'

const underWay = () => [{ id: '01JD4Z0V9T6E6N1S2XKQ3B7W8R', method: 'POST', route: '/api/v1/slow', ms: 31_400 }]
listenForSignals(50).serving({ underWay, close: () => new Promise(() => {}), say: (line) => console.log(line), fault: () => undefined })
setInterval(() => {}, 1_000)
console.log('serving')
