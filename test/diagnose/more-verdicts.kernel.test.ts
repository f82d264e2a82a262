import { judgeHalf } from './judge-cases.js';

judgeHalf(1);
