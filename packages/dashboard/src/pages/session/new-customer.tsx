import { Card } from '../../parts/layout/card.tsx'
import { Code } from '../../parts/value/code.tsx'
import { Link } from '../../router/link.tsx'
import { accountConfig } from '../../text/config.ts'

/** Shows what brings an account into being: the config and the command line, since no token makes accounts or tokens. */
export function NewCustomer() {
  return (
    <Card title="A new customer" about="in the config, and by the command line of the service">
      <ol class="body steps-list">
        <li>
          <p>
            Name the account in the config, with the plugins that it may use; what differs for it, such as a validator, is laid over what is
            set for all. An account that names no plugins has all of them.
          </p>
          <Code text={accountConfig('newco', 'New Co')} label="Copy config" />
        </li>
        <li>
          <p>
            See that it is right, and start the service anew. <Link to="protocols">Protocols</Link> then shows what the account has.
          </p>
          <Code text="svc check" label="Copy command" />
        </li>
        <li>
          <p>
            Make the token with which it makes its own keys, and the terms that it pins; hand both over by another way than this service.
          </p>
          <Code text={'svc tokens create --account newco --name admin\nsvc trust --account newco'} label="Copy commands" />
        </li>
      </ol>
    </Card>
  )
}
