// Decides which addresses a request may connect to. Names are resolved when the connection is made, and the connection
// goes to the very address that was looked at, so that no name can lead to another one in between. Knows no HTTP.

import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Addresses that are not those of public servers: of the machine itself, of private networks, of the link (where clouds
 * have the credentials of machines), reserved ones, and those of IPv6 that lead to any of IPv4.
 */
const closedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** Resolves a name to all of its addresses; `dns.lookup` by default. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A connection was refused because of its address. */
export class RefusedAddressError extends Error {
  constructor(host: string, address: string) {
    const what = host === address ? address : `${host}, which is ${address}`
    super(`${what}, is not a public address; allowAddresses can allow it`)
    this.name = 'RefusedAddressError'
  }
}

/** Returns the fault of an address or range of the settings; null if it has none. */
export function faultOfRange(text: string): string | null {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family !== 0 && isRange && more.length === 0 ? null : 'expected an address or a range such as 10.0.0.0/8'
}

export class Addresses {
  readonly #closed = listOf(closedRanges)
  readonly #allowed: BlockList
  readonly #resolve: Resolve

  /** `allowed` are addresses and ranges that may be connected to although they are not public. */
  constructor(allowed: readonly string[], resolve: Resolve = systemLookup) {
    this.#allowed = listOf(allowed)
    this.#resolve = resolve
  }

  /** Returns whether a connection to an address may be made. */
  mayConnect(text: string): boolean {
    const [address = ''] = text.split('%')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    return isIP(address) !== 0 && (!this.#closed.check(address, family) || this.#allowed.check(address, family))
  }

  /** Throws RefusedAddressError for a host that is an address, of which no lookup is made. */
  checkHost(host: string): void {
    const address = host.replace(/^\[|\]$/g, '')
    if (isIP(address) !== 0 && !this.mayConnect(address)) throw new RefusedAddressError(address, address)
  }

  /** The option `lookup` of a connection: of the addresses of a name, those that may be connected to. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '')
      const open = addresses.filter(one => this.mayConnect(one.address))
      const [first] = open
      if (first === undefined) return done(new RefusedAddressError(host, addresses[0]?.address ?? 'no address'), '')
      if (options.all === true) done(null, open)
      else done(null, first.address, first.family)
    })
  }
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
