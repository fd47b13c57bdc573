/** Splits expressions, which are separated by `;;` or by line breaks. */
const split = ({ raw: [text = ""] }: TemplateStringsArray): string[] => text.trim().split(/ ;; |\n\s*/);

/** Expressions without parts, by type: literals and fields of the schema in expressions.ts. */
export const LEAVES: Readonly<Record<string, readonly string[]>> = {
  int: split`
    0 ;; 1 ;; -1 ;; 2 ;; 3 ;; 7 ;; 10 ;; -9223372036854775808 ;; 9223372036854775807 ;; 0x1F ;; 4294967296 ;; 9007199254740993
    self.i ;; self.i32 ;; self.o.a ;; self.li[0] ;; self.li[9] ;; self.mi['a'] ;; self.mi.zz ;; self.missing ;; self.lm[0].v
    self.li[-1]
  `,
  uint: split`0u ;; 1u ;; 2u ;; 10u ;; 18446744073709551615u ;; 0xFu ;; 9007199254740993u`,
  double: split`
    0.0 ;; -0.0 ;; 1.0 ;; 1.5 ;; -2.5 ;; 1e308 ;; 1e-320 ;; 0.1 ;; 3.0e2 ;; 9.007199254740993e15 ;; 1e20 ;; .5 ;; 123456.789 ;; self.n
    self.ln[0] ;; double('NaN') ;; double('inf') ;; 1e21 ;; 1e-7
  `,
  string: split`
    '' ;; 'a' ;; 'b' ;; 'abc' ;; "x y" ;; 'é😀' ;; r'\d+' ;; 'A,b,,c' ;; '1' ;; '-12' ;; '1.5' ;; 'true' ;; '10.0.0.1' ;; '1Gi'
    '\u00e9\U0001F600\x41\101\n\t' ;; '''tri'ple''' ;; '  trim ' ;; '%d%s' ;; '2024-02-29T12:30:45.123Z' ;; '1h30m' ;; self.s
    self.short ;; self.phase ;; self.id ;; self.ls[0] ;; self.m['a'] ;; self.m.b ;; self.o.b ;; self.nul ;; self.lm[0].k
    self.missingText ;; self.emb.kind ;; self.emb.metadata.name ;; self.o.c
  `,
  bytes: split`b'' ;; b'abc' ;; b'\xff\x00' ;; b'é' ;; self.data ;; bytes('a')`,
  bool: split`
    true ;; false ;; self.b ;; has(self.s) ;; has(self.missing) ;; has(self.o.b) ;; has(self.o.c) ;; has(self.nul) ;; has(self.m.a)
    has(self.m.zz) ;; has(self.any.x) ;; self.any.x == 1 ;; 1 / 0 == 1 ;; has(self.emb.spec)
  `,
  duration: split`
    duration('1h') ;; duration('-1.5s') ;; duration('0') ;; duration('100ms1ns') ;; self.lasts ;; duration('2562047h47m16.854775807s')
    duration('1h2m3s')
  `,
  timestamp: split`
    timestamp('2024-02-29T12:30:45.123456789Z') ;; timestamp('1969-12-31T23:59:59Z') ;; timestamp('0001-01-01T00:00:00Z') ;; self.day
    self.at ;; timestamp('9999-12-31T23:59:59.999999999Z') ;; timestamp(1700000000) ;; timestamp('2024-06-30T23:59:59+02:00')
  `,
  "list(int)": split`[] ;; [1, 2, 3] ;; [3, 1, 2, 1] ;; self.li ;; self.seti ;; [self.i, 2]`,
  "list(string)": split`[] ;; ['a', 'b'] ;; ['b', 'a', 'a'] ;; self.ls ;; self.at1 ;; [self.s, 'x'] ;; self.sets`,
  "list(double)": split`self.ln ;; [1.0, 0.5] ;; []`,
  "list(dyn)": split`[dyn(1), dyn('a'), dyn(1.0)] ;; self.any.l ;; [] ;; dyn([1, 2]) ;; [dyn(1u), dyn(1)] ;; self.lm ;; self.la`,
  "map(string,int)": split`{} ;; {'a': 1} ;; {'b': 2, 'a': 1} ;; self.mi`,
  "map(string,string)": split`{} ;; {'a': 'x'} ;; self.m`,
  "map(int,string)": split`{1: 'a', 2: 'b'} ;; {}`,
  dyn: split`
    dyn(1) ;; dyn('a') ;; dyn(1.0) ;; dyn(1u) ;; dyn(null) ;; dyn([1]) ;; dyn({'a': 1}) ;; dyn(true) ;; dyn(b'a')
    dyn(duration('1s')) ;; self.ios ;; self.ios2 ;; self.any ;; self.any.x ;; self.any.l ;; self.any.deep.y ;; self.o ;; self.lm[0]
    self.any.nope ;; self ;; self.any.f ;; self.emb ;; self.any.nil ;; self.o2 ;; self.lnul[0] ;; self.lnul[1]
  `,
  null: split`null`,
  obj: split`self.o ;; self.lm[0] ;; self.o2 ;; self.la[0] ;; self.la[1]`,
  pattern: split`
    'a' ;; '^[a-z]+$' ;; '(a|b)*c' ;; r'\d{1,3}' ;; r'\pL+' ;; '(?i)ABC' ;; 'a{2,1}' ;; '(' ;; r'\bfoo' ;; '[[:alpha:]]+'
    '(?P<x>a)' ;; '' ;; 'x*' ;; r'\Qa.b\E' ;; '(?s).+' ;; '[^a]' ;; r'(?:a)(b)?' ;; r'\z' ;; r'\C' ;; 'a**' ;; '(?=a)' ;; self.short
    self.s ;; '[z-a]' ;; 'a{1001}' ;; '.*?b' ;; '^$' ;; r'\x{10FFFF}'
  `,
  template: split`
    '%s' ;; '%d|%s' ;; '%x %X' ;; '%.2f' ;; '%e' ;; '%b %o' ;; '%%' ;; '%.3e' ;; '%s %s %s' ;; '%f' ;; '%q' ;; '%' ;; '%.f' ;; '%5d'
    '%.17f' ;; '%X' ;; self.s
  `,
  zone: split`
    'UTC' ;; 'America/New_York' ;; '+02:00' ;; '-09:30' ;; 'Asia/Kolkata' ;; 'Nowhere/City' ;; '02:00' ;; '' ;; 'Local' ;; '23:59'
    '+25:00' ;; self.s ;; 'Europe/Berlin'
  `,
  numeral: split`
    '1' ;; '-12' ;; '1.5' ;; 'abc' ;; '' ;; '9223372036854775808' ;; '1e3' ;; '0x10' ;; ' 1' ;; '+5' ;; 'NaN' ;; 'Infinity' ;; '-inf'
    '1_000' ;; 'true' ;; 'T' ;; '0' ;; self.s ;; self.m.n
  `,
  ip: split`
    ip('10.0.0.1') ;; ip('::1') ;; ip('fe80::1') ;; ip('224.0.0.1') ;; ip('0.0.0.0') ;; ip('2001:db8::ff00:42:8329') ;; ip('bad')
    ip(self.addr) ;; ip('ff02::1')
  `,
  cidr: split`
    cidr('10.0.0.0/8') ;; cidr('10.1.2.3/16') ;; cidr('::/0') ;; cidr('2001:db8::/32') ;; cidr('bad/1') ;; cidr('0.0.0.0/0')
    cidr(self.net)
  `,
  url: split`
    url('https://user@ex.com:80/p%20q?a=1&b=2&a=3#f') ;; url('/only/path') ;; url('http://[::1]:8080/') ;; url('bad')
    url(self.link) ;; url('http://e.com?q=%zz') ;; url('https://x/é y') ;; url('mailto:a@b')
  `,
  quantity: split`
    quantity('1') ;; quantity('1.5Gi') ;; quantity('-100m') ;; quantity('1e3') ;; quantity('12345678901234567890') ;; quantity('bad')
    quantity('0') ;; quantity('1Ki') ;; quantity('0.000000001') ;; quantity(self.q) ;; quantity('1n') ;; quantity('9Ei')
  `,
  semver: split`
    semver('1.2.3') ;; semver('v1.2', true) ;; semver('1.2.3-rc.1+b') ;; semver('bad') ;; semver('01.2.3', true)
    semver('1.0.0-alpha.10') ;; semver('1', true)
  `,
  format: split`
    format.dns1123Label() ;; format.uuid() ;; format.date() ;; format.qualifiedName() ;; format.named('byte').value() ;; format.uri()
    format.labelValue() ;; format.datetime() ;; format.dns1035Label() ;; format.dns1123Subdomain() ;; format.dns1035LabelPrefix()
    format.dns1123LabelPrefix() ;; format.named('x').value()
  `,
};

/**
 * Expressions with parts, by the type of their result. `$` begins the type of a part: T is the result type, K and V its parameters, A and B
 * are any types, C is a type for keys.
 */
export const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  any: split`
    $bool ? $T : $T ;; ($T) ;; [$T][$int] ;; {'a': $T}.a ;; {'a': $T}['a'] ;; $optional(T).orValue($T) ;; $optional(T).value()
    [$T, $T][0] ;; [$T][?$int].orValue($T) ;; {$C: $T}[$C] ;; [$T].first().value()
  `,
  int: split`
    $int + $int ;; $int - $int ;; $int * $int ;; $int / $int ;; $int % $int ;; -$int ;; int($double) ;; int($uint) ;; int($numeral)
    int($timestamp) ;; int($int) ;; int($dyn) ;; size($string) ;; $string.size() ;; $list(A).size() ;; size($map(string,int))
    $bytes.size() ;; size($dyn) ;; $string.indexOf($string) ;; $string.indexOf($string, $int) ;; $string.lastIndexOf($string)
    $string.lastIndexOf($string, $int) ;; $list(A).indexOf($A) ;; $list(A).lastIndexOf($A) ;; $list(int).sum() ;; $list(int).max()
    $list(int).min() ;; $timestamp.getFullYear() ;; $timestamp.getMonth($zone) ;; $timestamp.getDayOfYear()
    $timestamp.getDate($zone) ;; $timestamp.getDayOfMonth() ;; $timestamp.getDayOfWeek() ;; $timestamp.getHours($zone)
    $timestamp.getMinutes() ;; $timestamp.getSeconds() ;; $timestamp.getMilliseconds() ;; $duration.getHours()
    $duration.getMinutes() ;; $duration.getSeconds() ;; $duration.getMilliseconds() ;; $ip.family() ;; $cidr.prefixLength()
    $quantity.asInteger() ;; $quantity.sign() ;; $quantity.compareTo($quantity) ;; $semver.major() ;; $semver.compareTo($semver)
    sign($quantity) ;; $obj.v ;; $map(string,int).a
  `,
  uint: split`
    $uint + $uint ;; $uint - $uint ;; $uint * $uint ;; $uint / $uint ;; $uint % $uint ;; uint($int) ;; uint($double) ;; uint($numeral)
    $list(uint).sum() ;; $list(uint).max() ;; uint($dyn)
  `,
  double: split`
    $double + $double ;; $double - $double ;; $double * $double ;; $double / $double ;; -$double ;; double($int) ;; double($numeral)
    double($uint) ;; $list(double).sum() ;; $list(double).min() ;; $quantity.asApproximateFloat() ;; double($dyn)
  `,
  string: split`
    $string + $string ;; string($int) ;; string($double) ;; string($uint) ;; string($bool) ;; string($bytes) ;; string($timestamp)
    string($duration) ;; string($dyn) ;; string($ip) ;; string($cidr) ;; $string.charAt($int) ;; $string.lowerAscii()
    $string.upperAscii() ;; $string.replace($string, $string) ;; $string.replace($string, $string, $int) ;; $string.substring($int)
    $string.substring($int, $int) ;; $string.trim() ;; $list(string).join() ;; $list(string).join($string) ;; $template.format([$B])
    $template.format([$A, $B]) ;; $template.format([$dyn, $dyn]) ;; '%s'.format([$T]) ;; strings.quote($string)
    '%s'.format([$list(A)]) ;; '%s'.format([$map(string,B)]) ;; $string.find($pattern) ;; $url.getScheme() ;; $url.getHost()
    $url.getHostname() ;; $url.getPort() ;; $url.getEscapedPath() ;; $list(string).max() ;; $obj.k
    '%d %f %e %x'.format([$int, $double, $double, $bytes]) ;; '%s %s'.format([$duration, $timestamp])
    '%.4f|%.1e'.format([$double, $int]) ;; '%s'.format([$double]) ;; $format.validate($string).value()[0] ;; $map(string,string).a
  `,
  bytes: split`bytes($string) ;; $bytes + $bytes ;; bytes($bytes) ;; bytes($dyn)`,
  bool: split`
    $bool && $bool ;; $bool || $bool ;; !$bool ;; $A == $A ;; $A != $A ;; $A < $A ;; $A <= $A ;; $A >= $A ;; $B == $B ;; $dyn == $dyn
    $dyn != $B ;; $dyn < $dyn ;; $int < $double ;; $uint >= $int ;; $double == $dyn ;; $A in $list(A) ;; $dyn in $list(dyn)
    $string in $map(string,B) ;; $int in $map(int,string) ;; $string.contains($string) ;; $string.startsWith($string)
    $string.endsWith($string) ;; $string.matches($pattern) ;; matches($string, $pattern) ;; $list(A) == $list(A)
    $map(string,int) == $map(string,int) ;; $list(A).isSorted() ;; sets.contains($list(A), $list(A))
    sets.equivalent($list(A), $list(A)) ;; sets.intersects($list(A), $list(A)) ;; bool($numeral) ;; isURL($string) ;; isIP($string)
    isCIDR($string) ;; isQuantity($string) ;; isSemver($string) ;; ip.isCanonical($string) ;; $ip == $ip ;; $ip.isLoopback()
    $ip.isGlobalUnicast() ;; $ip.isLinkLocalUnicast() ;; $ip.isUnspecified() ;; $ip.isLinkLocalMulticast() ;; $cidr.containsIP($ip)
    $cidr.containsIP($string) ;; $cidr.containsCIDR($cidr) ;; $cidr == $cidr ;; $url == $url ;; $quantity.isLessThan($quantity)
    $quantity.isGreaterThan($quantity) ;; $quantity == $quantity ;; $quantity.isInteger() ;; $semver.isLessThan($semver)
    $optional(B).hasValue() ;; $optional(A) == $optional(A) ;; $format.validate($string).hasValue() ;; type($B) == type($B)
    type($dyn) == int ;; $dyn == null ;; $obj == $obj ;; has($obj.k) ;; has($dyn.a) ;; $list(obj) == self.lm
    self.li + $list(int) == $list(int) ;; $list(int) == self.seti ;; self.sets + $list(string) == $list(string)
    self.lm + self.lm == self.lm ;; self.?o.?c == $optional(string) ;; bool($dyn) ;; $list(dyn) == $list(dyn) ;; $dyn > $A
  `,
  duration: split`
    $duration + $duration ;; $duration - $duration ;; $timestamp - $timestamp ;; duration($string) ;; $list(duration).max()
    $list(duration).sum() ;; duration($duration)
  `,
  timestamp: split`
    $timestamp + $duration ;; $duration + $timestamp ;; $timestamp - $duration ;; timestamp($int) ;; timestamp($string)
    timestamp($timestamp) ;; $list(timestamp).min()
  `,
  list: split`
    $list(K) + $list(K) ;; [$K, $K] ;; [$K] ;; [?$optional(K), $K] ;; $T ;; optional.unwrap([$optional(K), $optional(K)])
    [$optional(K)].unwrapOpt()
  `,
  "list(string)": split`
    $string.split($string) ;; $string.split($string, $int) ;; $string.findAll($pattern) ;; $string.findAll($pattern, $int)
    $url.getQuery().a ;; $format.validate($string).orValue([])
  `,
  "list(int)": split`self.li + $list(int) ;; self.seti + $list(int) ;; self.lm.map(e, e.v)`,
  "list(dyn)": split`self.lm + self.lm ;; [$dyn, $dyn] ;; self.la + self.lm`,
  map: split`{$K: $V} ;; {$K: $V, $K: $V} ;; {?$K: $optional(V)}`,
  optional: split`
    optional.of($K) ;; optional.ofNonZeroValue($K) ;; optional.none() ;; $optional(K).or($optional(K)) ;; [$K, $K][?$int]
    {'a': $K}[?$string] ;; {'a': $K}.?a ;; {'a': $K}.?b ;; $list(K).first() ;; $list(K).last() ;; optional.of({'a': $K}).?a
    optional.of([$K])[?$int]
  `,
  "optional(int)": split`self.?i ;; self.?missing ;; self.li[?$int] ;; self.mi[?$string] ;; self.?o.?a ;; self.?o.a ;; self.?lm[0].?v`,
  "optional(string)": split`self.?s ;; self.?nul ;; self.m[?$string] ;; self.?m.a ;; self.?o.?c ;; self.?ls[$int] ;; self.?emb.?kind`,
  dyn: split`
    dyn($A) ;; dyn($B) ;; $dyn.a ;; $dyn['a'] ;; $dyn[0] ;; $dyn + $dyn ;; $dyn - $dyn ;; $dyn * $A ;; -$dyn ;; dyn($obj)
    $list(dyn)[$int] ;; type($B) ;; dyn($optional(A)) ;; $dyn[?0] ;; $dyn.?a ;; dyn($quantity) ;; dyn($ip) ;; {$string: $dyn} ;; [$dyn]
  `,
  obj: split`$T`,
  pattern: split`$string ;; $string + $string`,
  ip: split`ip($string) ;; $cidr.ip()`,
  cidr: split`cidr($string) ;; $cidr.masked()`,
  url: split`url($string)`,
  quantity: split`quantity($string) ;; $quantity.add($quantity) ;; $quantity.sub($quantity) ;; $quantity.add($int) ;; $quantity.sub($int)`,
  semver: split`semver($string) ;; semver($string, $bool)`,
};
