// The losses of a sample with margin m, before they are multiplied by C.

export const LOSS = { hinge: (m) => Math.max(0, 1 - m), squares: (m) => (1 - m) ** 2 / 2 };
