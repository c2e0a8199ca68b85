// The cache of the kernel, in one module: its package has 3 MB.

export { LRUCache } from 'lru-cache'
