// What reads and writes archives, in one module: its package comes with five others.

export { Header, Pax } from 'tar'
